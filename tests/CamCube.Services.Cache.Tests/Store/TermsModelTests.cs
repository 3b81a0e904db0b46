namespace CamCube.Services.Cache.Tests.Store;

/// <summary>All operations with all terms beside a plain model.</summary>
public sealed class TermsModelTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void All_operations_with_all_terms_agree_with_a_naive_cache(int seed)
    {
        var store = new StoreFixture();
        var model = new NaiveCache { Now = store.Now };
        var random = new RandomTerms(seed);
        var seen = new HashSet<(CacheOperation, CacheStatus)>();
        var marks = CacheItemMarks.None;
        for (int i = 0; i < 40_000; i++)
        {
            if (random.OneIn(3))
            {
                model.Now = ++store.Now;
            }

            if (random.OneIn(4_000))
            {
                model.Flush();
                store.Store.End(store.Group);
                store.Group = new();
            }

            string key = random.Key(),
                value = random.Value();
            (CacheTerms asked, CacheTerms real) = random.Next(key);
            NaiveCache.Outcome expected = model.Run(asked, key, value);
            CacheReply reply = store.Run(real, key, value);
            string step = $"step {i}: {asked.Operation} {asked.Options} {key}";
            Assert.True(expected.Status == reply.Status, $"{step}: {expected.Status}, not {reply.Status}");
            if (expected.Facts != (reply.Facts.Length, reply.Facts.SecondsLeft, reply.Facts.Marks))
            {
                Assert.Fail($"{step}: {expected.Facts}, not {reply.Facts}");
            }

            Assert.True(expected.Value == store.Read, $"{step}: '{expected.Value}', not '{store.Read}'");
            Assert.Equal(expected.Number, reply.Number);
            if (expected.Value is not null)
            {
                Assert.Equal(expected.Flags, reply.Flags);
            }

            seen.Add((asked.Operation, reply.Status));
            marks |= reply.Facts.Marks;
            if (reply.Cas != 0)
            {
                random.Learn(key, expected.Token, reply.Cas);
            }
        }

        Assert.True(seen.Count > 25, $"only {seen.Count} kinds of ends");
        Assert.Equal((CacheItemMarks)63, marks);
    }
}
