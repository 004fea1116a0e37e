"""Lists the packages: those of three folders at the top are installed below sitemapx."""

from setuptools import find_packages, setup

FOLDERS = {"sitemapx.check": "check", "sitemapx.convert": "convert", "sitemapx.submit": "submit"}

setup(
    packages=[
        *find_packages(include=["sitemapx", "sitemapx.cli*", "sitemapx.spark"]),
        *FOLDERS,
        *(f"{name}.{inner}" for name, folder in FOLDERS.items() for inner in find_packages(folder)),
    ],
    package_dir=FOLDERS,
)
