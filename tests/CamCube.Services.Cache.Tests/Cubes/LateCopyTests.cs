using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache.Tests.Cubes;

/// <summary>Packets that a network gives once more, or very late.</summary>
public sealed class LateCopyTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        Root = new(1, 1, 1),
        Far = new(2, 2, 1);

    [Fact]
    public void A_late_copy_of_a_set_that_was_done_does_not_undo_a_newer_one()
    {
        using var cube = new CacheCube(3, 3, 3);
        string key = Prepare(cube);
        Copy copy = Capture(cube, () => cube.Set(A, key, "v1"), lose: false);
        Assert.Equal(CacheStatus.Done, cube.Set(Far, key, "v2"));
        Inject(cube, copy);
        Assert.Equal("v2", cube.Get(A, key));
        Assert.Equal(1, cube.Sum(CacheCount.RepeatedAnswers));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_set_that_was_given_up_is_not_done_later()
    {
        using var cube = new CacheCube(3, 3, 3, new CacheOptions { Attempts = 3 });
        string key = Prepare(cube);
        Copy copy = Capture(cube, () => Assert.Equal(CacheStatus.TimedOut, cube.Set(A, key, "v1")), lose: true);
        Assert.Equal(CacheStatus.Done, cube.Set(Far, key, "v2"));
        Inject(cube, copy);
        Assert.Equal("v2", cube.Get(A, key));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_late_copy_is_refused_by_the_next_root()
    {
        using var cube = new CacheCube(3, 3, 3);
        string key = Prepare(cube);
        Copy copy = Capture(cube, () => cube.Set(A, key, "v1"), lose: false);
        cube.Cube.Kill(Root);
        cube.Cube.AwaitConverged();
        Inject(cube, copy);
        Assert.Null(cube.Get(A, key));
        Assert.Equal(CacheStatus.Done, cube.Set(Far, key, "v2"));
        Inject(cube, copy);
        Assert.Equal("v2", cube.Get(A, key));
        cube.Cube.Revive(Root);
        cube.Cube.AwaitConverged();
        Inject(cube, copy);
        Assert.Null(cube.Get(A, key));
        cube.AssertQuiet();
    }

    [Fact]
    public void A_late_copy_is_refused_after_its_answer_was_forgotten()
    {
        using var cube = new CacheCube(3, 3, 3, new CacheOptions { RecentAnswers = 16 });
        string key = Prepare(cube);
        cube.Set(A, key, "5");
        Copy copy = Capture(
            cube,
            () => Assert.Equal(6UL, cube.Run(A, CacheOperation.Increment, key, delta: 1).Number),
            lose: false
        );
        for (int i = 0; i < 40; i++)
        {
            cube.Set(A, cube.KeyAt(Root, 2), "x");
        }

        Inject(cube, copy);
        Assert.Equal("6", cube.Get(A, key));
        cube.AssertQuiet();
    }

    [Fact]
    public void Every_packet_twice_changes_nothing()
    {
        using var cube = new CacheCube(3, 3, 3);
        string key = Prepare(cube);
        cube.Set(A, key, "0");
        for (ulong i = 1; i <= 20; i++)
        {
            Copy copy = Capture(
                cube,
                () => Assert.Equal(i, cube.Run(A, CacheOperation.Increment, key, delta: 1).Number),
                lose: false
            );
            Inject(cube, copy);
        }

        Assert.Equal("20", cube.Get(Far, key));
        cube.AssertQuiet();
    }

    private static string Prepare(CacheCube cube)
    {
        cube.Set(A, cube.KeyAt(Root, 1), "so that A knows the root");
        return cube.KeyAt(Root);
    }

    // The first packet of a change that leaves A while the act runs.
    private static Copy Capture(CacheCube cube, Action act, bool lose)
    {
        Copy? copy = null;
        cube.Cube.Lose = (from, _, p) =>
        {
            if (p.Service.Value != 0x0110 || p.Header<CacheHeader>().Kind != (byte)PacketKind.Change)
            {
                return false;
            }

            copy ??= new Copy(p.Header<CacheHeader>(), p.Body.ToArray(), p.Destination);
            return lose;
        };
        act();
        cube.Cube.Lose = null;
        return copy!;
    }

    private static void Inject(CacheCube cube, Copy copy)
    {
        IServer server = cube.Cube[A].ServerOf<CacheService>();
        Assert.True(server.Packets.TryRent(copy.Body.Length, out Packet? packet));
        packet.Header<CacheHeader>() = copy.Header;
        copy.Body.CopyTo(packet.WritableBody());
        Assert.Equal(SendResult.Accepted, server.Send(packet, copy.To));
        cube.Cube.Advance(TimeSpan.FromMilliseconds(5));
    }

    private sealed record Copy(CacheHeader Header, byte[] Body, Destination To);
}
