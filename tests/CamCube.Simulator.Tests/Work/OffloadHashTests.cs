using CamCube.Simulator.Settings;
using CamCube.Testing;

namespace CamCube.Simulator.Tests.Work;

/// <summary>Work off the loop is part of a run that can be repeated, on any number of threads.</summary>
public sealed class OffloadHashTests
{
    [Fact]
    public void Equal_runs_have_equal_hashes_on_one_and_on_two_threads()
    {
        (ulong Hash, long Done) one = Run(1, TimeSpan.FromMicroseconds(7));
        Assert.True(one.Done > 2_000, $"{one.Done}");
        Assert.Equal(one, Run(2, TimeSpan.FromMicroseconds(7)));
        Assert.NotEqual(one.Hash, Run(1, TimeSpan.FromMicroseconds(8)).Hash);
    }

    // Every server works off the loop in both classes, some of it in vain, and sends what came out to another.
    private static (ulong Hash, long Done) Run(int threads, TimeSpan cost)
    {
        long done = 0;
        using TestCube cube = new TestCube(4, 4, 4, new SimulatorOptions { Threads = threads, Seed = 5 }).Add(
            server => new Worker(server, cost, () => Interlocked.Increment(ref done))
        );
        cube.Advance(TimeSpan.FromMilliseconds(1));
        cube.Cube.Kill(7);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        cube.Cube.Revive(7);
        cube.Advance(TimeSpan.FromMilliseconds(1));
        Assert.Empty(cube.Faults);
        return (cube.Cube.TraceHash, done);
    }

    [CamCubeService(0x0733, "worker")]
    private sealed class Worker(IServer server, TimeSpan cost, Action done) : CamCubeService
    {
        private readonly Random _random = server.Random.Create("work");

        public override void OnStart()
        {
            server.Loop.Run(() => GoOn(OffloadClass.Short));
            server.Loop.Run(() => GoOn(OffloadClass.Long));
        }

        public override Verdict OnPacket(in HopContext hop, Packet packet) =>
            hop.IsDestination ? Verdict.Consume : Verdict.Forward;

        private async ValueTask GoOn(OffloadClass kind)
        {
            for (; ; )
            {
                OffloadResult<int> result = await server.Work.OffloadAsync(
                    static (n, _) => n * 7,
                    _random.Next(1_000),
                    new OffloadOptions
                    {
                        Class = kind,
                        Cost = cost * _random.Next(1, 10),
                        Deadline = TimeSpan.FromMicroseconds(50),
                    }
                );
                if (result.Status == OffloadStatus.Stopped)
                {
                    return;
                }

                if (result.IsDone)
                {
                    done();
                    if (server.Packets.TryRent(result.Value % 900, out Packet? packet))
                    {
                        packet.WritableBody().Fill(1);
                        server.Send(packet, server.Shape.At(result.Value % 64));
                    }
                }
            }
        }
    }
}
