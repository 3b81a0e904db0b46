using CamCube.Testing;

namespace CamCube.Runtime.Tests;

public sealed class EveryTests
{
    [Fact]
    public void What_is_done_every_period_does_not_drift_and_is_made_up_for_once()
    {
        var script = new Script();
        using TestCube cube = new TestCube(2, 1, 1).Add(script.Define());
        cube.Advance(TimeSpan.FromMilliseconds(1));
        IServer server = script[0].Server;
        var seen = new List<long>();
        long began = server.NowNanos;
        ServerTimer every = server.Every(
            TimeSpan.FromMilliseconds(10),
            () => seen.Add((server.NowNanos - began) / 1_000)
        );
        cube.Advance(TimeSpan.FromMilliseconds(35));
        Assert.Equal([10_000, 20_000, 30_000], seen);
        seen.Clear();
        cube.Pause(default, TimeSpan.FromMilliseconds(42));
        cube.Advance(TimeSpan.FromMilliseconds(60));
        Assert.Equal([77_000, 80_000, 90_000], seen);
        every.Cancel();
        cube.Advance(TimeSpan.FromMilliseconds(50));
        Assert.Equal(3, seen.Count);
        Assert.Throws<ArgumentOutOfRangeException>(() => server.Every(TimeSpan.Zero, () => { }));
    }

    [Fact]
    public void It_may_end_itself_and_ends_with_the_service()
    {
        var script = new Script();
        using TestCube cube = new TestCube(2, 1, 1).Add(script.Define());
        cube.Advance(TimeSpan.FromMilliseconds(1));
        int calls = 0,
            others = 0;
        ServerTimer? every = null;
        every = script[0]
            .Server.Every(
                TimeSpan.FromMilliseconds(1),
                () =>
                {
                    if (++calls == 3)
                    {
                        every!.Cancel();
                    }
                }
            );
        script[0].Server.Every(TimeSpan.FromMilliseconds(1), () => others++);
        cube.Advance(TimeSpan.FromMilliseconds(10));
        Assert.Equal(3, calls);
        Assert.InRange(others, 9, 10);
        cube.Kill(default);
        cube.Advance(TimeSpan.FromMilliseconds(10));
        Assert.InRange(others, 9, 10);
    }
}
