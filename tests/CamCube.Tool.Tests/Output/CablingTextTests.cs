using CamCube.Administration.Answers;
using CamCube.Tool.Hosts;
using CamCube.Tool.Output;

namespace CamCube.Tool.Tests.Output;

public sealed class CablingTextTests
{
    [Fact]
    public void The_map_what_is_heard_and_the_faults_are_printed_in_ASCII()
    {
        CablingAnswer cabling = new(
            "camcube",
            [2, 2, 1],
            true,
            "000000aa00000000",
            "0,0,0",
            "placed",
            null,
            9_014,
            1_790_000_000_000,
            "000000aa00000000",
            3,
            4,
            6,
            8,
            [
                new CablingServerAnswer(
                    "000000aa00000000",
                    "0,0,0",
                    false,
                    false,
                    [
                        Port("eth1", "+x", true, "server"),
                        Port("eth2", "-x", true, "server"),
                        Port("eth3", "+y", true, "server"),
                        Port("eth4", "-y", false, "otherCluster") with
                        {
                            PeerServerId = "000000ff00000000",
                            PeerLink = "+y",
                            PeerPort = "p1",
                            Detail = "foreign",
                        },
                    ]
                ),
                new CablingServerAnswer(
                    "000000bb00000000",
                    "1,0,0",
                    false,
                    false,
                    [Port("eth1", "+x", true, "server"), Port("eth4", "-y", false, "nothing")]
                ),
                new CablingServerAnswer("000000cc00000000", "0,1,0", false, false, []),
            ],
            [
                new CablingFaultAnswer(
                    "otherCluster",
                    "000000aa00000000",
                    "0,0,0",
                    "eth4",
                    "-y",
                    "server 000000aa (0,0,0) port eth4 (-y): cable leads elsewhere"
                ),
            ]
        );

        string text = Shown(cabling);

        Assert.StartsWith(
            """
            cube camcube: 2x2x1 (4 servers), 3 heard, 6 of 8 cables work
            server 000000aa00000000: placed, 0,0,0, 3 of 4 links admitted, frames up to 9014 bytes
            map made 2026-09-21 14:13:20 UTC by server 000000aa
            z=0
              y=0    000000aa(3)---000000bb(1)
                         |
              y=1    000000cc(0)   ........
            ports that carry nothing although somebody is heard:
            """,
            text
        );
        Assert.Contains(
            "| 000000aa | 0,0,0 | eth4 | -y   | otherCluster (foreign) | 000000ff | p1   | +y   |",
            text,
            StringComparison.Ordinal
        );
        Assert.EndsWith(
            "! server 000000aa (0,0,0) port eth4 (-y): cable leads elsewhere\n1 fault\n",
            text,
            StringComparison.Ordinal
        );
        Assert.All(text, c => Assert.InRange(c, '\n', '~'));
    }

    [Fact]
    public void A_waiting_server_says_what_it_waits_for()
    {
        string text = Shown(
            new CablingAnswer(
                "camcube",
                [3, 3, 3],
                true,
                "000000aa00000000",
                null,
                "searching",
                "waiting for its place: 1 of 27 servers are heard",
                0,
                null,
                null,
                0,
                6,
                0,
                81,
                [new CablingServerAnswer("000000aa00000000", null, false, false, [])],
                []
            )
        );

        Assert.Equal(
            """
            cube camcube: 3x3x3 (27 servers), 1 heard, 0 of 81 cables work
            server 000000aa00000000: searching, no place yet, 0 of 6 links admitted
            waiting for its place: 1 of 27 servers are heard
            no faults

            """,
            text
        );
    }

    [Fact]
    public void What_else_is_on_the_own_cables_is_asked_about()
    {
        ForeignAnswer datagrams = new("IPv4", "192.0.2.7", "02:00:00:00:00:77", 3, 1_790_000_000_000),
            office = datagrams with { Protocol = "LLDP", Source = "rack7 port 12" };
        CablingServerAnswer own = new(
            "000000aa00000000",
            "0,0,0",
            false,
            false,
            [
                Port("eth1", "+x", true, "server"),
                Port("eth2", "-x", true, "server") with
                {
                    Foreign = office,
                },
                Port("eth3", "+y", false, "nothing") with
                {
                    Foreign = datagrams,
                },
                Port("eth7", null, false, "nothing") with
                {
                    Foreign = datagrams,
                },
            ]
        );
        Assert.Equal(
            [
                "! 0,0,0 port eth2 (-x): carries LLDP from rack7 port 12 as well: a switch in the cable?",
                "! 0,0,0 port eth3 (+y): carries IPv4 from 192.0.2.7: not a CamCube cable?",
            ],
            ForeignText.Of(own)
        );
        Assert.StartsWith(
            "! 000000aa00000000 port eth2",
            ForeignText.Of(own with { Coordinate = null }).First(),
            StringComparison.Ordinal
        );
    }

    private static CablingPortAnswer Port(string name, string? link, bool isAdmitted, string heard) =>
        new(name, link, true, 9_014, isAdmitted, heard, isAdmitted, null, null, null, null, null);

    private static string Shown(CablingAnswer cabling)
    {
        var writer = new StringWriter { NewLine = "\n" };
        CablingText.Show(new Report(writer), cabling);
        return writer.ToString();
    }
}
