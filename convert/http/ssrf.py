"""
Decide which IP addresses belong to the public internet.

The tables are based on IANA's registries: the result must not depend on the version of Python.
"""

import socket
from functools import cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from sitemapx.errors import PrivateAddressError
from sitemapx.optionnames import option

#: Blocks of the whole address spaces: https://www.iana.org/assignments/ipv4-address-space,
#: https://www.iana.org/assignments/ipv6-address-space and the registries of multicast.
_SPACES = {
    "0.0.0.0/0": True,
    "224.0.0.0/4": False,  # multicast, RFC 5771
    "::/0": False,  # loopback, discard-only, SRv6, unique local, link-local, multicast …
    "2000::/3": True,  # the only block of global unicast addresses, RFC 4291
}
#: https://www.iana.org/assignments/iana-ipv4-special-registry and
#: https://www.iana.org/assignments/iana-ipv6-special-registry, as of 2025-05-01, without the blocks
#: in `_EMBEDDING`. "N/A" counts as not reachable. Written by tests/refresh.py.
_REGISTERED = {
    "0.0.0.0/8": False,  # this network, RFC 791
    "10.0.0.0/8": False,  # private use, RFC 1918
    "100.64.0.0/10": False,  # shared address space, RFC 6598
    "127.0.0.0/8": False,  # loopback, RFC 1122
    "169.254.0.0/16": False,  # link-local, RFC 3927
    "172.16.0.0/12": False,  # private use, RFC 1918
    "192.0.0.0/24": False,  # IETF protocol assignments, RFC 6890
    "192.0.0.9/32": True,  # Port Control Protocol anycast, RFC 7723
    "192.0.0.10/32": True,  # TURN anycast, RFC 8155
    "192.0.2.0/24": False,  # documentation, RFC 5737
    "192.31.196.0/24": True,  # AS112-v4, RFC 7535
    "192.52.193.0/24": True,  # AMT, RFC 7450
    "192.88.99.0/24": False,  # 6to4 relay anycast, deprecated by RFC 7526
    "192.168.0.0/16": False,  # private use, RFC 1918
    "192.175.48.0/24": True,  # direct delegation AS112, RFC 7534
    "198.18.0.0/15": False,  # benchmarking, RFC 2544
    "198.51.100.0/24": False,  # documentation, RFC 5737
    "203.0.113.0/24": False,  # documentation, RFC 5737
    "240.0.0.0/4": False,  # reserved, and limited broadcast, RFC 1112
    "2001::/23": False,  # IETF protocol assignments, RFC 2928
    "2001:1::1/128": True,  # Port Control Protocol anycast, RFC 7723
    "2001:1::2/128": True,  # TURN anycast, RFC 8155
    "2001:1::3/128": True,  # DNS-SD service registration anycast, RFC 9665
    "2001:3::/32": True,  # AMT, RFC 7450
    "2001:4:112::/48": True,  # AS112-v6, RFC 7535
    "2001:20::/28": True,  # ORCHIDv2, RFC 7343
    "2001:30::/28": True,  # drone remote ID, RFC 9374
    "2001:db8::/32": False,  # documentation, RFC 3849
    "2620:4f:8000::/48": True,  # direct delegation AS112, RFC 7534
    "3fff::/20": False,  # documentation, RFC 9637
}
#: Block -> whether it is globally reachable. The smallest block that contains an address decides.
SPECIAL = _SPACES | _REGISTERED
#: Block -> embedded IPv4 addresses: number of bits after each, and mask to xor with.
_EMBEDDING = {
    IPv6Network("::ffff:0:0/96"): ((0, 0),),  # IPv4-mapped, RFC 4291
    IPv6Network("64:ff9b::/96"): ((0, 0),),  # NAT64, RFC 6052
    IPv6Network("2001::/32"): ((64, 0), (0, 0xFFFFFFFF)),  # Teredo: server and client, RFC 4380
    IPv6Network("2002::/16"): ((80, 0),),  # 6to4, RFC 3056
}


def is_public(address: str) -> bool:
    """
    Return whether an IP address belongs to the public internet.

    An IPv6 address that embeds IPv4 addresses is public if all of them are.

    >>> is_public("8.8.8.8"), is_public("192.168.1.1"), is_public("::ffff:127.0.0.1")
    (True, False, False)
    """
    ip = ip_address(address)
    if isinstance(ip, IPv6Address):
        for network, places in _EMBEDDING.items():
            if ip in network:
                number = int(ip)
                embedded = (IPv4Address(number >> n & 0xFFFFFFFF ^ mask) for n, mask in places)
                return all(map(_is_reachable, embedded))
    return _is_reachable(ip)


def _is_reachable(ip: IPv4Address | IPv6Address) -> bool:
    return next(reachable for network, reachable in _blocks(ip.version) if ip in network)


@cache
def _blocks(version: int) -> list[tuple[IPv4Network | IPv6Network, bool]]:
    """Return (block, is_public) for each block of an IP version, the smallest block first."""
    blocks = [(ip_network(block), reachable) for block, reachable in SPECIAL.items()]
    of_version = [(block, reachable) for block, reachable in blocks if block.version == version]
    return sorted(of_version, key=lambda item: -item[0].prefixlen)


def public_addresses(host: str, port: int | None) -> list[str]:
    """Return the IP addresses of a host; raise `PrivateAddressError` if any is not public."""
    infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(str(info[4][0]) for info in infos))
    private = [address for address in addresses if not is_public(address)]
    if private:
        found_at = " and ".join(private)
        leads = "is" if found_at == host else f"leads to {found_at},"
        raise PrivateAddressError(
            f"{host} {leads} a private address; allow this with {option('allow_private')}"
        )
    return addresses
