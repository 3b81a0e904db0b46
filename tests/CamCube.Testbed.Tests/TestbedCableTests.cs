namespace CamCube.Testbed.Tests;

public sealed class TestbedCableTests
{
    [Theory]
    [InlineData(3, 3, 3, true, 81)]
    [InlineData(1, 1, 4, true, 4)]
    [InlineData(1, 1, 2, true, 2)]
    [InlineData(1, 1, 2, false, 1)]
    [InlineData(2, 2, 2, true, 24)]
    [InlineData(2, 2, 2, false, 12)]
    [InlineData(2, 3, 1, true, 12)]
    public void Every_link_of_the_shape_is_one_end_of_one_cable(int x, int y, int z, bool parallel, int count)
    {
        var shape = new TorusShape(x, y, z, parallel);
        IReadOnlyList<TestbedCable> cables = TestbedCable.Of(shape);
        Assert.Equal(count, cables.Count);
        (int, Link)[] ends = [.. cables.SelectMany(c => new[] { (c.From, c.Link), (c.To, c.Link.Opposite()) })];
        (int, Link)[] links = [.. Enumerable.Range(0, shape.Count).SelectMany(rank => LinksOf(shape, rank))];
        Assert.Equal(links.Order(), ends.Order());
        Assert.All(cables, c => Assert.Equal(c.To, shape.RankOf(shape.Step(shape.At(c.From), c.Link))));
    }

    [Fact]
    public void Interfaces_in_the_order_of_their_names_are_links_in_their_order() =>
        Assert.Equal(
            ["eth1", "eth2", "eth3", "eth4", "eth5", "eth6"],
            Enumerable.Range(0, Links.Cables).Select(i => TestbedCable.InterfaceOf((Link)i))
        );

    [Fact]
    public void Both_ends_of_an_IP_cable_have_addresses_of_one_network_and_no_address_is_used_twice()
    {
        IReadOnlyList<TestbedCable> cables = TestbedCable.Of(new TorusShape(8, 8, 8));
        Dictionary<(int Rank, Link Link), string> addresses = UdpCables.Addresses(cables);
        Assert.Equal(2 * cables.Count, addresses.Values.Distinct().Count());
        foreach (TestbedCable cable in cables)
        {
            string here = addresses[(cable.From, cable.Link)],
                there = addresses[(cable.To, cable.Link.Opposite())];
            Assert.Equal(Last(here) + 1, Last(there));
            Assert.Equal(0, Last(here) % 2);
            Assert.Equal(here[..here.LastIndexOf('.')], there[..there.LastIndexOf('.')]);
        }
    }

    private static IEnumerable<(int, Link)> LinksOf(TorusShape shape, int rank)
    {
        foreach (Link link in shape.CabledLinks(shape.At(rank)))
        {
            yield return (rank, link);
        }
    }

    private static int Last(string address) =>
        int.Parse(address[(address.LastIndexOf('.') + 1)..], System.Globalization.CultureInfo.InvariantCulture);
}
