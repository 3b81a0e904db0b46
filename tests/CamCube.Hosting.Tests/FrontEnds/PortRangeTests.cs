using System.Net;
using CamCube.Hosting.FrontEnds;

namespace CamCube.Hosting.Tests.FrontEnds;

/// <summary>Default ports of many servers in one process.</summary>
public sealed class PortRangeTests
{
    [Fact]
    public void Defaults_stay_where_they_are_as_long_as_they_do_not_meet() =>
        Assert.Equal(
            [8_200, 8_300, 11_211, 8_080],
            Places(
                100,
                ("kv", 8_200, false),
                ("images", 8_300, false),
                ("memcached", 11_211, false),
                ("http", 8_080, false)
            )
        );

    [Theory]
    [InlineData(120, 8_200)]
    [InlineData(121, 8_201)]
    public void From_121_servers_on_the_stores_ports_would_meet_those_of_the_cube_and_move(int servers, int first) =>
        Assert.Equal([first, 8_080], Places(servers, ("kv-http", 8_200, false), ("http", 8_080, false)));

    [Fact]
    public void With_512_servers_those_that_would_meet_lie_behind_each_other()
    {
        int[] first = Places(
            512,
            ("images", 8_300, false),
            ("kv", 8_200, false),
            ("memcached", 11_211, false),
            ("http", 8_080, false)
        );
        Assert.Equal([8_080 + 1_024, 8_080 + 512, 11_211, 8_080], first);
    }

    [Fact]
    public void What_somebody_chose_stays_and_the_others_go_round_it() =>
        Assert.Equal(
            [8_100, 8_612, 9_124],
            Places(512, ("kv", 8_100, true), ("http", 8_080, false), ("images", 8_300, false))
        );

    [Fact]
    public void Two_that_were_chosen_and_meet_are_left_to_be_named() =>
        Assert.Equal([8_100, 8_200], Places(512, ("kv", 8_100, true), ("http", 8_200, true)));

    [Fact]
    public void What_would_not_fit_below_the_last_port_stays() =>
        Assert.Equal([60_000, 60_100], Places(5_000, ("kv", 60_000, true), ("http", 60_100, false)));

    [Fact]
    public void Drawn_ranges_never_meet_while_there_is_room()
    {
        var random = new Random(5);
        for (int run = 0; run < 2_000; run++)
        {
            int count = 1 + random.Next(1_200);
            PortRange[] ranges =
            [
                .. Enumerable
                    .Range(0, 2 + random.Next(7))
                    .Select(i => new PortRange(
                        $"{i}",
                        $"setting {i}",
                        random.Next(4) == 0 ? IPAddress.Any : IPAddress.Loopback,
                        6_000 + random.Next(8_000),
                        count
                    )),
            ];
            PortRange[] apart = PortRange.Apart(ranges);
            Assert.Equal(ranges.Select(range => range.Name), apart.Select(range => range.Name));
            for (int i = 0; i < apart.Length; i++)
            {
                Assert.True(apart[i].First >= ranges[i].First);
                Assert.DoesNotContain(apart.Skip(i + 1), apart[i].Overlaps);
            }
        }
    }

    private static int[] Places(int servers, params (string Name, int First, bool IsChosen)[] ranges) =>
        [
            .. PortRange
                .Apart([
                    .. ranges.Select(range => new PortRange(
                        range.Name,
                        $"CamCube:{range.Name}",
                        IPAddress.Loopback,
                        range.First,
                        servers
                    )
                    {
                        IsChosen = range.IsChosen,
                    }),
                ])
                .Select(range => range.First),
        ];
}
