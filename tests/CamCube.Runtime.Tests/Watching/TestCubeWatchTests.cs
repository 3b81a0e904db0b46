using CamCube.Testing;

namespace CamCube.Runtime.Tests.Watching;

/// <summary>What a test of a service learns when a callback waits, hangs, loses packets, or lets another thread in:
/// names, and no test run without end.</summary>
public sealed class TestCubeWatchTests
{
    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(300);

    [Fact]
    public void A_callback_that_blocks_its_thread_is_named_when_the_test_asks_for_quiet()
    {
        using TestCube cube = Cube(static (_, _) => Thread.Sleep(100));
        cube.Advance(TimeSpan.FromMilliseconds(1));
        InvalidOperationException e = Assert.Throws<InvalidOperationException>(cube.AssertQuiet);
        Assert.StartsWith(
            "mistakes.OnPacket at 1,0,0 blocked the thread of its server (Thread.Sleep,",
            e.Message,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void A_callback_that_waits_for_ever_is_interrupted_and_fails_the_test_by_name()
    {
        using var never = new ManualResetEventSlim();
        using TestCube cube = Cube((_, _) => never.Wait());
        cube.CallbackLimit = Short;
        TimeoutException e = Assert.Throws<TimeoutException>(() => cube.Advance(TimeSpan.FromMilliseconds(1)));
        Assert.Equal(
            "mistakes.OnPacket at 1,0,0 has not returned for 0.3 s of real time (TestCube.CallbackLimit); "
                + "it was interrupted.",
            e.Message
        );

        // The thread is well again, and so is the cube.
        Thread.Sleep(0);
        cube.Advance(TimeSpan.FromMilliseconds(1));
    }

    [Fact]
    public void A_constructor_that_waits_for_ever_is_named_too()
    {
        using var never = new ManualResetEventSlim();
        using TestCube cube = new TestCube(2, 1, 1).Add(server => new Mistakes(server, (_, _) => { }, never.Wait));
        cube.CallbackLimit = Short;
        TimeoutException e = Assert.Throws<TimeoutException>(() => cube.Advance(TimeSpan.FromMilliseconds(1)));
        Assert.StartsWith("mistakes.constructor at 0,0,0 has not returned", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_callback_that_computes_for_ever_ends_the_test_run_by_name()
    {
        string? last = null;
        using TestCube cube = Cube(
            (_, _) =>
            {
                while (Volatile.Read(ref last) is null)
                {
                    Thread.SpinWait(100);
                }
            }
        );
        cube.CallbackLimit = Short;
        cube.FailFast = text => Volatile.Write(ref last, text);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Equal(
            "CamCube test: mistakes.OnPacket at 1,0,0 has not returned for 0.3 s of real time "
                + "(TestCube.CallbackLimit). It computes without end, so "
                + "the test run ends here.",
            last
        );
    }

    [Fact]
    public void A_cube_that_is_well_is_not_disturbed_and_says_nothing_of_real_time()
    {
        using TestCube cube = Cube(static (_, _) => Thread.SpinWait(1_000));
        for (int i = 0; i < 50; i++)
        {
            cube[0].Service<Mistakes>().Send();
            cube.Advance(TimeSpan.FromMilliseconds(1));
        }

        cube.AssertQuiet();
        Assert.All(cube[1].Status.Services, s => Assert.Equal(0, s.MaxCallbackNanos));
    }

    [Fact]
    public void Packets_that_are_left_are_named_by_service_and_coordinate_and_counted_in_the_status()
    {
        using TestCube cube = Cube(static (service, packet) => service.Keep(packet));
        cube[0].Service<Mistakes>().Send();
        cube[0].Service<Mistakes>().Send();
        cube.Advance(TimeSpan.FromMilliseconds(1));
        InvalidOperationException e = Assert.Throws<InvalidOperationException>(cube.AssertQuiet);
        Assert.Contains("\n3 x Held by mistakes at 1,0,0; the first is packet ", e.Message, StringComparison.Ordinal);
        Assert.Contains(" of service 0323", e.Message, StringComparison.Ordinal);
        Assert.Equal(3, cube[1].Status.Services.Single(s => s.Name == "mistakes").Held);
        Assert.Equal(0, cube[0].Status.Services.Single(s => s.Name == "mistakes").Held);
    }

#if DEBUG
    [Fact]
    public void A_server_that_another_thread_uses_throws_there_and_the_service_is_at_fault()
    {
        Exception? thrown = null;
        using TestCube cube = Cube(
            (service, _) =>
            {
                var foreign = new Thread(() =>
                    thrown = Record.Exception(() => service.Server.Packets.TryRent(0, out Packet? _))
                );
                foreign.Start();
                foreign.Join();
            }
        );
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.StartsWith(
            "IServer.Packets.TryRent was used by a thread that is not the server's. From there use IServer.Gate",
            Assert.IsType<InvalidOperationException>(thrown).Message,
            StringComparison.Ordinal
        );
        ServiceFault fault = Assert.Single(cube.Faults);
        Assert.Equal(("mistakes", new Coordinate(1, 0, 0)), (fault.Service, fault.Server));
        Assert.Same(thrown, fault.Exception);
    }
#endif

    // One packet from 0,0,0 makes the mistake at 1,0,0.
    private static TestCube Cube(Action<Mistakes, Packet> mistake)
    {
        var cube = new TestCube(2, 1, 1).Add(server => new Mistakes(server, mistake, static () => { }));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(1));
        cube[0].Service<Mistakes>().Send();
        return cube;
    }

    [CamCubeService(0x0323, "mistakes")]
    private sealed class Mistakes : CamCubeService
    {
        private readonly Action<Mistakes, Packet> _mistake;
        private readonly List<Packet> _kept = [];

        public Mistakes(IServer server, Action<Mistakes, Packet> mistake, Action construct)
        {
            (Server, _mistake) = (server, mistake);
            construct();
        }

        public IServer Server { get; }

        public void Send()
        {
            Assert.True(Server.Packets.TryRent(0, out Packet? packet));
            Server.Send(packet, Server.Shape.At(1));
        }

        public void Keep(Packet packet)
        {
            Server.Packets.Take(packet);
            _kept.Add(packet);
        }

        public override Verdict OnPacket(in HopContext hop, Packet packet)
        {
            _mistake(this, packet);
            return _kept.Contains(packet) ? Verdict.Taken : Verdict.Consume;
        }
    }
}
