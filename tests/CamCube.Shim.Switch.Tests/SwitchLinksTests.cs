using CamCube.Shim.Switch.Format;
using CamCube.Tests;

namespace CamCube.Shim.Switch.Tests;

/// <summary>Links over connections: where frames come out, what breaks, who is slow, who lies.</summary>
public sealed class SwitchLinksTests
{
    private static readonly TorusShape Cube = new(3, 3, 1);

    [Fact]
    public void Frames_go_to_where_they_end_in_one_step_whatever_the_link_and_in_order()
    {
        using SwitchBed bed = new(Cube);
        bed.Connect();
        for (int from = 0; from < Cube.Count; from++)
        {
            for (int to = 0; to < Cube.Count; to++)
            {
                for (int i = 0; from != to && i < 20; i++)
                {
                    Assert.True(bed[from].Send(Link.YMinus, to, [(byte)from, (byte)i], bed.Now) <= bed.Now);
                }
            }
        }

        int each = (Cube.Count - 1) * 20;
        bed.Until(() => All(bed, s => s.Arrived.Count == each), "all have come");
        for (int to = 0; to < Cube.Count; to++)
        {
            Assert.All(bed[to].Arrived, static frame => Assert.Equal(Link.YPlus, frame.Link));
            foreach (var of in bed[to].Arrived.GroupBy(static frame => frame.Frame[0]))
            {
                Assert.Equal(Enumerable.Range(0, 20), of.Select(static frame => (int)frame.Frame[1]));
            }
        }

        Assert.True(All(bed, static s => s is { Lost: 0, Dropped.Count: 0, News.Count: 0 }));
    }

    [Fact]
    public void On_an_axis_of_two_a_frame_arrives_on_the_one_cable_that_there_is()
    {
        using SwitchBed bed = new(new TorusShape(2, 2, 1) { ParallelCables = false });
        bed.Connect();

        // 0,0 and 0,1 have the same end of the axis x.
        bed[0].Send(Link.XPlus, 1, [1], bed.Now);
        bed[0].Send(Link.XPlus, 2, [2], bed.Now);
        bed.Until(() => bed[1].Arrived.Count + bed[2].Arrived.Count == 2, "both have come");
        Assert.Equal((Link.XMinus, Link.XPlus), (bed[1].Arrived[0].Link, bed[2].Arrived[0].Link));
    }

    [Fact]
    public void A_server_that_ends_is_told_as_a_pulled_cable_and_comes_back_while_the_others_go_on()
    {
        using SwitchBed bed = new(new TorusShape(3, 1, 1));
        bed.Connect();
        bed.Stop(1);
        bed.Until(() => bed[0].Down.Count == 1 && bed[2].Down.Count == 1, "its end is told");
        Assert.Equal((Link.XPlus, Link.XMinus), (bed[0].Down[0], bed[2].Down[0]));
        Assert.True(bed[0].Send(Link.XPlus, 1, new byte[100], bed.Now) > bed.Now);
        Assert.Equal((1, DropReason.LinkDown), (bed[0].Lost, Assert.Single(bed[0].Dropped)));
        bed[0].Send(Link.XPlus, 2, [7], bed.Now);
        bed.Until(() => bed[2].Arrived.Count == 1, "the others go on");

        bed.Start(1);
        bed.Until(
            () => All(bed, static s => s.Links.Counts.Opened == (s.Links.Counts.Ended == 0 ? 2 : 3)),
            "it is back with both"
        );
        bed[1].Send(Link.XPlus, 2, [8], bed.Now);
        bed[0].Send(Link.XPlus, 1, [9], bed.Now);
        bed.Until(() => bed[2].Arrived.Count == 2 && bed[1].Arrived.Count == 1, "it takes part");
    }

    [Fact]
    public void Whoever_is_silent_is_asked_nothing_and_closed_and_an_idle_server_is_not()
    {
        using SwitchBed bed = new(new TorusShape(3, 1, 1));
        bed.Connect();
        using Stranger nobody = new(bed.Options.Servers[0]);
        using Stranger half = new(bed.Options.Servers[0]);
        half.Send(Stranger.Greeting(bed.Shape, 1, 0)[..40]);
        bed.Until(() => nobody.IsClosed && half.IsClosed, "they are closed");
        Assert.Equal(2, bed[0].Links.Counts.Silent);
        bed.Pass(20_000);
        Assert.Equal((2, 0), (bed[0].Links.Counts.Opened, bed[0].Links.Counts.Ended));
    }

    [Fact]
    public void A_server_that_takes_nothing_holds_up_the_others_for_a_moment_and_is_closed()
    {
        // 0 is a stranger's, so that 1 and 2 take it for one that connects to them.
        using SwitchBed bed = new(new TorusShape(3, 1, 1), [1, 2]);
        bed.Connect();
        using Stranger slow = new(bed.Options.Servers[1], receiveBuffer: 64 << 10);
        slow.Send(Stranger.Greeting(bed.Shape, 0, 1));
        bed.Until(() => bed[1].Links.Counts.Opened == 2, "it is connected");

        byte[] frame = new byte[9_000];
        int sent = 0;
        while (bed[1].Send(Link.XMinus, 0, frame, bed.Now) != LinkDriver.Full)
        {
            Assert.InRange(++sent, 0, 10_000);
        }

        long full = bed.Now;
        bed.Until(
            () =>
            {
                slow.Send(Stranger.Record(Link.XPlus, []));
                return bed[1].Freed.Count > 0;
            },
            "the link is free again"
        );
        Assert.InRange(bed.Now - full, bed.Options.FullNanos, bed.Options.FullNanos + 5_000_000);
        Assert.Equal(Link.XMinus, bed[1].Freed[0]);

        // What is for it is dropped from now on, and counted; the same link carries what is for the other.
        Assert.True(bed[1].Send(Link.XMinus, 0, frame, bed.Now) > bed.Now);
        Assert.Equal((1, DropReason.QueueFull), (bed[1].Lost, Assert.Single(bed[1].Dropped)));
        Assert.Equal(bed.Now, bed[1].Send(Link.XMinus, 2, [5], bed.Now));
        bed.Until(() => bed[2].Arrived.Count == 1, "the other has it");
        bed.Until(
            () =>
            {
                // It says that it is there, which is not enough.
                slow.Send(Stranger.Record(Link.XPlus, []));
                return bed[1].Links.Counts.Slow == 1;
            },
            "it is closed"
        );
        Assert.InRange(bed[1].Dropped.Count(static reason => reason == DropReason.LinkDown), 25, 40);
        Assert.Contains("0,0,0 takes too little and was closed.", bed[1].News);
    }

    [Fact]
    public void Strangers_of_every_kind_are_counted_and_closed_while_a_crowd_of_servers_goes_on()
    {
        using SwitchBed bed = new(Cube);
        bed.Connect();
        (GreetingFault Fault, byte[] Bytes)[] strangers =
        [
            (
                GreetingFault.Foreign,
                "GET / HTTP/1.1\r\nHost: camcube\r\nUser-Agent: a browser of somebody\r\n\r\n"u8.ToArray()
            ),
            (GreetingFault.OtherVersion, Stranger.Greeting(Cube, 0, 4, version: 2)),
            (GreetingFault.OtherCluster, Stranger.Greeting(Cube, 0, 4, cluster: "another")),
            (GreetingFault.OtherShape, Stranger.Greeting(new TorusShape(3, 2, 1), 0, 4)),
            (GreetingFault.OtherFrameLength, Stranger.Greeting(Cube, 0, 4, maxFrame: 1_514)),
            (GreetingFault.WrongServer, Stranger.Greeting(Cube, 0, 3)),
            (GreetingFault.WrongServer, Stranger.Greeting(Cube, 4, 4)),
            (GreetingFault.WrongServer, Stranger.Greeting(Cube, 8, 4)),
            (GreetingFault.Doubled, Stranger.Greeting(Cube, 0, 4)),
        ];
        foreach ((GreetingFault fault, byte[] bytes) in strangers)
        {
            int before = bed[4].Links.Counts.Refused(fault);
            using Stranger stranger = new(bed.Options.Servers[4]);
            stranger.Send(bytes);
            bed.Until(() => stranger.IsClosed, $"{fault} is closed");
            Assert.Equal(before + 1, bed[4].Links.Counts.Refused(fault));
        }

        Assert.Equal(strangers.Length, bed[4].Dropped.Count(static reason => reason == DropReason.Miscabled));
        Assert.Equal(strangers.DistinctBy(static s => s.Fault).Count(), bed[4].News.Count);
        bed[0].Send(Link.XPlus, 4, [1], bed.Now);
        bed.Until(() => bed[4].Arrived.Count == 1, "the servers go on");
        Assert.Equal(0, bed[4].Links.Counts.Ended);
    }

    [Fact]
    public void More_strangers_than_may_be_are_closed_at_once_and_a_server_still_gets_in()
    {
        using SwitchBed bed = new(new TorusShape(3, 1, 1), [1, 2]);
        bed.Connect();
        List<Stranger> crowd = [];
        for (int i = 0; i < 200; i++)
        {
            crowd.Add(new Stranger(bed.Options.Servers[1]));
        }

        bed.Until(() => bed[1].Links.Counts.Crowded == 200 - bed.Options.Strangers, "they are too many");
        bed.Start(0);
        bed.Until(() => bed[0].Links.Counts.Opened == 2, "a server is heard when they have been silent for too long");
        Assert.Equal(bed.Options.Strangers, bed[1].Links.Counts.Silent);
        crowd.ForEach(static stranger => stranger.Dispose());
    }

    [Theory]
    [InlineData(9_001, 0, Link.XPlus)]
    [InlineData(65_535, 0, Link.XPlus)]
    [InlineData(5, 1, Link.XPlus)]
    [InlineData(5, 0, Link.ZPlus)]
    [InlineData(5, 0, Link.Local)]
    public void A_server_that_lies_about_a_record_is_closed_and_what_it_sent_before_has_come(
        int says,
        byte last,
        Link link
    )
    {
        using SwitchBed bed = new(new TorusShape(3, 1, 1), [1, 2]);
        bed.Connect();
        using Stranger liar = new(bed.Options.Servers[1]);
        liar.Send(Stranger.Greeting(bed.Shape, 0, 1));
        liar.Send([.. Stranger.Record(Link.XMinus, [1, 2, 3]), .. Stranger.Record(link, new byte[5], says, last)]);
        bed.Until(() => liar.IsClosed, "it is closed");
        Assert.Equal(new byte[] { 1, 2, 3 }, Assert.Single(bed[1].Arrived).Frame);
        Assert.Equal((1, DropReason.Malformed), (bed[1].Links.Counts.Malformed, Assert.Single(bed[1].Dropped)));
    }

    [Fact]
    public void Random_bytes_after_a_true_greeting_do_no_harm()
    {
        using SwitchBed bed = new(new TorusShape(3, 1, 1), [1, 2]);
        bed.Connect();
        FuzzInputs.Run(
            (random, count) =>
            {
                for (int i = 0; i < Math.Min(count, 500); i++)
                {
                    byte[] bytes = new byte[random.Next(1, 3_000)];
                    random.NextBytes(bytes);
                    using Stranger stranger = new(bed.Options.Servers[1]);
                    int before = bed[1].Links.Counts.Opened;
                    stranger.Send(Stranger.Greeting(bed.Shape, 0, 1));
                    stranger.Send(bytes);
                    bed.Until(() => bed[1].Links.Counts.Opened > before, "it is let in");
                    stranger.Dispose();
                    int ended = i + 1;
                    bed.Until(() => bed[1].Links.Counts.Malformed + bed[1].Links.Counts.Ended == ended, "it is closed");
                }
            }
        );
        bed[2].Send(Link.XMinus, 1, [77], bed.Now);
        bed.Until(() => bed[1].Arrived.Count > 0 && bed[1].Arrived[^1].Frame is [77], "the others go on");
    }

    private static bool All(SwitchBed bed, Func<FakeServer, bool> isSo) =>
        Enumerable.Range(0, bed.Shape.Count).All(rank => isSo(bed[rank]));
}
