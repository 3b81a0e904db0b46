using System.Buffers;
using CamCube.Services.Cache.Counting;
using CamCube.Services.Cache.Tests.Store;
using CamCube.Simulator.Settings;

namespace CamCube.Services.Cache.Tests.Cubes;

/// <summary>Terms and facts through the cube: as at the root itself, and a win is won once.</summary>
public sealed class TermsTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0);

    [Theory]
    [InlineData(1, 0)]
    [InlineData(2, 0)]
    [InlineData(3, 0.1)]
    public void All_operations_with_all_terms_agree_with_a_naive_cache_near_and_far(int seed, double loss)
    {
        using var cube = new CacheCube(2, 1, 1);
        var drops = new Random(seed);
        cube.Cube.Lose = (_, _, p) => p.Service.Value == 0x0110 && drops.NextDouble() < loss;
        var model = new NaiveCache();
        var random = new RandomTerms(seed);
        int far = 0;
        for (int i = 0; i < 4_000; i++)
        {
            if (random.OneIn(3))
            {
                cube.Cube.Advance(TimeSpan.FromSeconds(1));
            }

            string key = random.Key(),
                value = random.Value();
            uint before = cube[A].Now;
            (CacheTerms asked, CacheTerms real) = random.Next(key);
            if (loss > 0 && asked.Operation == CacheOperation.GetAndTouch && asked.Expiry < 0)
            {
                // Its second attempt finds that the first has ended the item: a miss.
                continue;
            }

            var into = new ArrayBufferWriter<byte>();
            CacheReply reply = cube.Run(A, real, key, value, into);
            if (cube[A].Now != before)
            {
                // Attempts took it into the next second: which of them was done is not known.
                cube.Cube.Await(cube[A].FlushAllAsync(0));
                model.Flush();
                continue;
            }

            model.Now = before;
            NaiveCache.Outcome expected = model.Run(asked, key, value);
            Assert.True(
                expected.Status == reply.Status,
                $"step {i}: {asked.Operation} {asked.Options}: {expected.Status}, not {reply.Status}"
            );

            // The second attempt of a read that won nothing finds that the first has read the item.
            bool mayRepeat = loss > 0 && asked.Operation is (CacheOperation.Get or CacheOperation.GetAndTouch);
            CacheItemMarks unsure = mayRepeat ? CacheItemMarks.WasRead : CacheItemMarks.None;
            (int length, long left, CacheItemMarks marks) = expected.Facts;
            if (
                (length, left, marks | unsure)
                != (reply.Facts.Length, reply.Facts.SecondsLeft, reply.Facts.Marks | unsure)
            )
            {
                Assert.Fail($"step {i}: {asked.Operation} {asked.Options}: {expected.Facts}, not {reply.Facts}");
            }

            Assert.Equal(
                (expected.Number, expected.Value ?? ""),
                (reply.Number, System.Text.Encoding.Latin1.GetString(into.WrittenSpan))
            );
            far += Key.OfName(key).HomeIn(cube.Cube.Shape) == B ? 1 : 0;
            if (reply.Cas != 0)
            {
                random.Learn(key, expected.Token, reply.Cas);
            }
        }

        Assert.InRange(far, 1_000, 3_000);
        cube.AssertQuiet();
    }

    [Theory]
    [InlineData(CacheTermOptions.WinStale)]
    [InlineData(CacheTermOptions.Recache)]
    public void Each_invalidation_is_won_once_however_many_packets_are_lost(CacheTermOptions how)
    {
        using var cube = new CacheCube(2, 1, 1);
        var random = new Random(5);
        string key = cube.KeyAt(B);
        cube.Set(A, key, "value");
        cube.Cube.Lose = (_, _, p) => p.Service.Value == 0x0110 && random.NextDouble() < 0.3;
        var invalidate = new CacheTerms { Operation = CacheOperation.Delete, Options = CacheTermOptions.Invalidate };
        var read = new CacheTerms { Operation = CacheOperation.Get, Options = how };
        for (int i = 0; i < 100; i++)
        {
            Assert.Equal(CacheStatus.Done, cube.Run(A, invalidate, key).Status);
            int won = 0;
            for (int n = 0; n < 4; n++)
            {
                var into = new ArrayBufferWriter<byte>();
                CacheItemMarks marks = cube.Run(A, read, key, into: into).Facts.Marks;
                Assert.Equal("value"u8, into.WrittenSpan);
                won += (marks & CacheItemMarks.HasWon) != 0 ? 1 : 0;
                Assert.Equal(n == 0, (marks & CacheItemMarks.IsWinOut) == 0);
            }

            Assert.Equal(1, won);
        }

        Assert.True(cube.Sum(CacheCount.RepeatedAnswers) > 20);
        cube.AssertQuiet();
    }

    [Fact]
    public void A_win_whose_item_is_gone_when_it_is_asked_for_again_is_won_anew()
    {
        using var cube = new CacheCube(2, 1, 1);
        string key = cube.KeyAt(B);
        bool lose = true;
        cube.Set(A, cube.KeyAt(B, 1), "so that A knows B's run");
        cube.Cube.Lose = (from, _, p) => lose && p.Service.Value == 0x0110 && from == B;
        var read = new CacheTerms
        {
            Operation = CacheOperation.Get,
            Options = CacheTermOptions.Vivify,
            VivifyExpiry = 500,
        };
        Task<CacheReply> waiting = cube[A]
            .ExecuteAsync(new CacheRequest { Terms = read, Key = CacheCube.Bytes(key) })
            .AsTask();
        cube.Cube.Advance(TimeSpan.FromMilliseconds(50));
        Assert.Equal(2, cube[B].Store.Count);
        Assert.Equal(CacheStatus.Done, cube.Run(B, CacheOperation.Delete, key).Status);
        lose = false;
        CacheReply reply = cube.Cube.Await(new ValueTask<CacheReply>(waiting));
        Assert.Equal(
            (CacheStatus.Done, CacheItemMarks.IsNew | CacheItemMarks.HasWon),
            (reply.Status, reply.Facts.Marks)
        );
        Assert.Equal(2, cube[B].Store.Count);
        cube.AssertQuiet();
    }

    [Fact]
    public void A_value_that_is_not_wanted_does_not_travel()
    {
        using var cube = new CacheCube(2, 1, 1, simulator: new SimulatorOptions { MaxFrameLength = 1_514 });
        string key = cube.KeyAt(B);
        cube.Set(A, key, new byte[500_000]);
        int packets = 0;
        cube.Cube.Lose = (_, _, p) =>
        {
            packets += p.Service.Value == 0x0110 ? 1 : 0;
            return false;
        };
        var read = new CacheTerms { Operation = CacheOperation.Get, Options = CacheTermOptions.WithoutValue };
        CacheReply reply = cube.Run(A, read, key);
        Assert.Equal((CacheStatus.Done, 500_000), (reply.Status, reply.Facts.Length));
        Assert.Equal(2, packets);
        Assert.Equal(
            500_000,
            cube.Run(A, read with { Operation = CacheOperation.Inspect, Options = default }, key).Facts.Length
        );
        Assert.Equal(4, packets);
        cube.AssertQuiet();
    }
}
