using CamCube.Shim.Udp.Settings;
using CamCube.Shim.Udp.Tests.Ports;

namespace CamCube.Shim.Udp.Tests;

/// <summary>Settings, right and wrong: a wrong one is one line with its name, its value and what is allowed.</summary>
public sealed class SettingsTests
{
    private static readonly TorusShape Shape = new(3, 3, 3);

    [Fact]
    public void The_smallest_configuration_is_a_key_and_a_pattern()
    {
        UdpOptions options = UdpOptions.Read(Of(("Pattern", "camcube-{rank}.camcube:7000")));
        var plan = NeighbourPlan.For(Shape, Shape.At(0), options);
        Assert.Equal(
            "+x camcube-1.camcube:7001, -x camcube-2.camcube:7000, +y camcube-3.camcube:7003, "
                + "-y camcube-6.camcube:7002, "
                + "+z camcube-9.camcube:7005, -z camcube-18.camcube:7004",
            string.Join(", ", plan.Select(p => $"{p.Link.Name()} {p.Neighbour}"))
        );
        Assert.Equal((7_000, 1_500, true), (options.BasePort, options.Mtu, options.Aggregate));
        Assert.Null(options.BindAddress);
    }

    [Fact]
    public void A_neighbour_of_its_own_goes_before_the_pattern_and_may_be_written_both_ways()
    {
        UdpOptions options = UdpOptions.Read(
            Of(("Pattern", "c-{rank}:7000"), ("neighbours:+X", "10.0.0.2:1"), ("Neighbours:mz", "[fd00::2]:2"))
        );
        var plan = NeighbourPlan.For(Shape, Shape.At(0), options);
        Assert.Equal("10.0.0.2:1", plan[0].Neighbour.ToString());
        Assert.Equal("c-2:7000", plan[1].Neighbour.ToString());
        Assert.Equal("[fd00::2]:2", plan[5].Neighbour.ToString());
    }

    [Fact]
    public void Without_a_place_the_neighbours_of_all_links_are_enough()
    {
        UdpOptions options = UdpOptions.Read(Of(("Neighbours:px", "a:1"), ("Neighbours:mx", "b:1")));
        Assert.Equal(2, NeighbourPlan.For(new TorusShape(4, 1, 1), null, options).Count);
    }

    [Fact]
    public void With_one_cable_on_an_axis_of_two_the_settings_say_which_end_this_is()
    {
        var shape = new TorusShape(2, 1, 1, parallelCables: false);
        UdpOptions options = UdpOptions.Read(Of(("Neighbours:mx", "a:1")));
        Assert.Equal(Link.XMinus, Assert.Single(NeighbourPlan.For(shape, null, options)).Link);
        Assert.Equal(Link.XMinus, Assert.Single(NeighbourPlan.For(shape, shape.At(1), options)).Link);
        Assert.Throws<LinkProviderException>(() => NeighbourPlan.For(shape, shape.At(0), options));
    }

    [Fact]
    public void The_place_comes_from_the_host_name_when_that_is_asked_for()
    {
        UdpOptions options = UdpOptions.Read(Of(("RankFromHostName", "true")));
        LinkProviderRequest request = new(null, Shape, new Dictionary<string, string>()) { Time = TimeProvider.System };
        Assert.Equal(Shape.At(5), NeighbourPlan.Place(request, options, static () => "camcube-5"));
        Assert.Equal(
            Shape.At(5),
            NeighbourPlan.Place(request with { Coordinate = Shape.At(5) }, options, static () => "camcube-5")
        );
        Assert.Contains(
            "'camcube'",
            Fault(() => NeighbourPlan.Place(request, options, static () => "camcube")),
            StringComparison.Ordinal
        );
        Assert.Contains(
            "0 to 26",
            Fault(() => NeighbourPlan.Place(request, options, static () => "camcube-27")),
            StringComparison.Ordinal
        );
        Assert.Contains(
            "CamCube:Coordinate",
            Fault(() =>
                NeighbourPlan.Place(request with { Coordinate = Shape.At(4) }, options, static () => "camcube-5")
            ),
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData("ClusterKey", "short", "CamCube:Udp:ClusterKey")]
    [InlineData("ClusterKey", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHg==", "32 random bytes")]
    [InlineData("ClusterKey", "none", "CamCube:Udp:ClusterKey")]
    [InlineData("ClusterKey", "", "CamCube:Udp:ClusterKeyFile is required")]
    [InlineData("ClusterKeyFile", "/nowhere/key", "both set")]
    [InlineData("BasePort", "65530", "1 to 65529")]
    [InlineData("BindAddress", "somewhere", "CamCube:Udp:BindAddress is 'somewhere', allowed is an IPv4")]
    [InlineData("Mtu", "1000", "1280 to 65535")]
    [InlineData("RekeyInterval", "10", "as in 200ms")]
    [InlineData("RekeyInterval", "25h", "1s to 86400s")]
    [InlineData("RekeyFrames", "0", "1000 to 4294967296")]
    [InlineData("SilenceTime", "1ms", "CamCube:Udp:SilenceTime is '1ms', allowed is a duration from 0.1s")]
    [InlineData("SocketBuffer", "-1", "CamCube:Udp:SocketBuffer")]
    [InlineData("Aggregate", "maybe", "true or false")]
    [InlineData("Via", "Pcap", "CamCube:Udp:Via is 'Pcap', allowed are Auto, Batches, Sockets")]
    [InlineData("RankFromHostName", "1", "true or false")]
    [InlineData("Pattern", "camcube:0", "CamCube:Udp:Pattern = 'camcube:0'")]
    [InlineData("Neighbours:w", "10.0.0.1:1", "is not a link")]
    [InlineData("Neighbours:+x", "10.0.0.1", "host:port")]
    public void A_wrong_value_is_named(string name, string value, string expected)
    {
        Dictionary<string, string> settings = Of();
        settings[name] = value;
        string message = Fault(() => UdpOptions.Read(settings));
        Assert.Contains(expected, message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', message);
    }

    [Fact]
    public void A_key_in_a_file_is_read_and_a_wrong_file_is_named()
    {
        string path = Path.GetTempFileName();
        try
        {
            File.WriteAllText(path, UdpCubes.Key + "\n");
            Dictionary<string, string> settings = new() { ["ClusterKeyFile"] = path };
            Assert.Equal(UdpOptions.Read(Of()).Key.Fingerprint, UdpOptions.Read(settings).Key.Fingerprint);
            File.WriteAllBytes(path, new byte[32]);
            Assert.Contains("holds no key", Fault(() => UdpOptions.Read(settings)), StringComparison.Ordinal);
        }
        finally
        {
            File.Delete(path);
        }

        // What has no end is not read to its end.
        Assert.Contains(
            "holds no key",
            Fault(() => UdpOptions.Read(new Dictionary<string, string> { ["ClusterKeyFile"] = "/dev/zero" })),
            StringComparison.Ordinal
        );
        Assert.Contains(
            "'/nowhere/key' cannot be read",
            Fault(() => UdpOptions.Read(new Dictionary<string, string> { ["ClusterKeyFile"] = "/nowhere/key" })),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Neighbours_that_are_missing_or_too_many_are_named()
    {
        Assert.Contains(
            "CamCube:Udp:Neighbours:+x or CamCube:Udp:Pattern is needed",
            Fault(() => NeighbourPlan.For(Shape, Shape.At(0), UdpOptions.Read(Of()))),
            StringComparison.Ordinal
        );
        UdpOptions options = UdpOptions.Read(Of(("Pattern", "c-{rank}:7000"), ("Neighbours:+z", "10.0.0.2:1")));
        Assert.Contains(
            "no cable +z in a 3x3x1 cube",
            Fault(() => NeighbourPlan.For(new TorusShape(3, 3, 1), default(Coordinate), options)),
            StringComparison.Ordinal
        );
        Assert.Contains(
            "set CamCube:Coordinate",
            Fault(() => NeighbourPlan.For(Shape, null, options)),
            StringComparison.Ordinal
        );
        options = UdpOptions.Read(Of(("Pattern", "camcube:7000")));
        Assert.Contains(
            "the same host",
            Fault(() => NeighbourPlan.For(Shape, Shape.At(0), options)),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Every_setting_that_is_read_is_described()
    {
        // Each described name can be set; the messages above show that each is read.
        Assert.Equal(UdpOptions.All.Count, UdpOptions.All.Select(s => s.Name).Distinct().Count());
        Assert.All(UdpOptions.All, s => Assert.EndsWith(".", s.Effect, StringComparison.Ordinal));
        Assert.Equal("Udp", new UdpProvider().Name);
        Assert.True(new UdpProvider().FindsCoordinate);
    }

    private static Dictionary<string, string> Of(params (string Name, string Value)[] settings)
    {
        var all = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase) { ["ClusterKey"] = UdpCubes.Key };
        foreach ((string name, string value) in settings)
        {
            all[name] = value;
        }

        return all;
    }

    private static string Fault(Action act) => Assert.Throws<LinkProviderException>(act).Message;

    private static string Fault(Func<object?> act) => Assert.Throws<LinkProviderException>(act).Message;
}
