using System.Net;
using CamCube.Services.Tunnel.Addresses;

namespace CamCube.Services.Tunnel.Tests;

/// <summary>Addresses say where a server is, and back.</summary>
public sealed class AddressTests
{
    [Theory]
    [InlineData(3, 3, 3)]
    [InlineData(1, 1, 1)]
    [InlineData(257, 2, 1)]
    [InlineData(256, 16, 2)]
    public void Every_server_has_addresses_of_its_own_and_is_found_by_each(int x, int y, int z)
    {
        var shape = new TorusShape(x, y, z);
        TunnelAddresses addresses = Of(shape);
        HashSet<ulong> ethernet = [];
        Span<byte> bytes = stackalloc byte[16];
        for (int rank = 0; rank < shape.Count; rank++)
        {
            Coordinate server = shape.At(rank);
            Assert.True(ethernet.Add(addresses.EthernetOf(server)));
            Assert.True(addresses.TryFindEthernet(addresses.EthernetOf(server), out Coordinate found));
            Assert.Equal(server, found);
            Assert.True(addresses.TryFind4(addresses.Internet4Of(server), out found));
            Assert.Equal(server, found);
            addresses.Write6(server, bytes);
            Assert.True(addresses.TryFind6(bytes, out found));
            Assert.Equal(server, found);
            addresses.WriteLinkLocal(server, bytes);
            Assert.True(addresses.TryFind6(bytes, out found));
            Assert.Equal(server, found);
        }
    }

    [Fact]
    public void They_are_what_the_page_says()
    {
        TunnelAddresses addresses = Of(new TorusShape(3, 3, 3));
        var server = new Coordinate(1, 2, 0);
        Assert.Equal("10.77.0.8", $"{addresses.Address4(server)}");
        Assert.Equal("fd37:cc:77:0:1:1:2:0", $"{addresses.Address6(server)}");
        Assert.Equal("02CC00010200", Convert.ToHexString(addresses.EthernetBytes(server)));
        Span<byte> local = stackalloc byte[16];
        addresses.WriteLinkLocal(server, local);
        Assert.Equal("fe80::cc:ff:fe01:200", $"{new IPAddress(local)}");
    }

    [Fact]
    public void Addresses_of_nobody_are_of_nobody()
    {
        TunnelAddresses addresses = Of(new TorusShape(3, 2, 2));
        Assert.False(addresses.TryFind4(addresses.Internet4Of(default) - 1, out _));
        Assert.False(addresses.TryFind4(addresses.Internet4Of(default) + 12, out _));
        Assert.False(addresses.TryFindEthernet(0x02CC_0003_0000, out _));
        Assert.False(addresses.TryFindEthernet(0x02CC_0100_0000, out _));
        Assert.False(addresses.TryFindEthernet(0xFFFF_FFFF_FFFF, out _));
        Assert.False(addresses.TryFind6(IPAddress.Parse("fd37:cc:77:0:1:3:0:0").GetAddressBytes(), out _));
        Assert.False(addresses.TryFind6(IPAddress.Parse("fd37:cc:77::").GetAddressBytes(), out _));
        Assert.False(addresses.TryFind6(IPAddress.Parse("fe80::1").GetAddressBytes(), out _));
        Assert.False(addresses.TryFind6(IPAddress.IPv6Any.GetAddressBytes(), out _));
    }

    private static TunnelAddresses Of(TorusShape shape) =>
        new(shape, IPNetwork.Parse("10.77.0.0/16"), IPNetwork.Parse("fd37:cc:77::/64"));
}
