using System.Globalization;
using System.Text;
using CamCube.Services.Cache.Backing;

namespace CamCube.Services.Cache.Tests.Backing;

/// <summary>Keys of the store and the cache's own answer the same, change by change: memcached's rules hold for
/// both.</summary>
public sealed class BackedTermsTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void A_key_of_the_store_answers_as_one_of_the_cache(int seed)
    {
        using var cube = new BackedCube(3, 1, 1);
        var random = new Random(seed);
        Dictionary<string, (ulong Own, ulong Stored)> tokens = [];
        for (int i = 0; i < 2_000; i++)
        {
            string name = $"k{random.Next(4)}";
            (ulong own, ulong stored) = tokens.GetValueOrDefault(name);
            CacheTerms terms = Draw(random);
            string value = random.Next(3) == 0 ? $"{random.Next(1_000)}" : new string('v', random.Next(20));
            bool hasCas =
                terms.Operation == CacheOperation.CompareAndSwap || (terms.Cas != 0 && own != 0 && stored != 0);
            terms = terms with { Cas = 0 };
            int rank = random.Next(3);
            (CacheReply mine, string read) = Run(cube, rank, terms with { Cas = hasCas ? own : 0 }, name, value);
            (CacheReply other, string readToo) = Run(
                cube,
                random.Next(3),
                terms with
                {
                    Cas = hasCas ? stored : 0,
                },
                $"s:{name}",
                value
            );

            // decr leaves spaces behind shorter numbers; the store keeps numbers that other clients count with, too.
            string said = $"{i}: {terms.Operation} {terms.Options} of {name} '{value}' at {rank}";
            Assert.Equal((said, mine.Status, read.Trim()), (said, other.Status, readToo.Trim()));
            if (mine.Status == CacheStatus.Done)
            {
                bool isRead = terms.Operation is CacheOperation.Get or CacheOperation.GetAndTouch;
                Assert.Equal((said, mine.Number), (said, other.Number));
                Assert.Equal((said, isRead ? mine.Flags : 0), (said, isRead ? other.Flags : 0));
                tokens[name] = (mine.Cas, other.Cas);
            }

            if (random.Next(4) == 0)
            {
                tokens[name] = (cube.Read(0, name).Reply.Cas, cube.Read(0, $"s:{name}").Reply.Cas);
            }
        }

        cube.AssertQuiet();
    }

    [Fact]
    public void Flags_are_read_as_they_were_kept_and_odd_metadata_as_none()
    {
        var flags = new BesideFlags();
        foreach (uint one in (uint[])[0, 1, 9, 10, 65_535, uint.MaxValue])
        {
            Assert.Equal(one, BesideFlags.Read(flags.Of(one).Span));
            Assert.Equal(one, BesideFlags.Read(flags.Of(one).Span));
        }

        // Whatever lies there, nothing is thrown, and nothing read that is not there.
        var random = new Random(1);
        byte[] right = flags.Of(1234).ToArray();
        for (int i = 0; i < 20_000; i++)
        {
            byte[] odd = right[..random.Next(right.Length + 1)];
            for (int n = random.Next(3); n > 0 && odd.Length > 0; n--)
            {
                odd[random.Next(odd.Length)] = (byte)random.Next(256);
            }

            _ = BesideFlags.Read(odd);
        }

        Assert.Equal(0U, BesideFlags.Read(Encoding.ASCII.GetBytes("image/png")));
    }

    private static CacheTerms Draw(Random random)
    {
        CacheOperation operation = (CacheOperation)random.Next((int)CacheOperation.Touch + 1);
        CacheTermOptions options = CacheTermOptions.None;
        bool vivifies =
            operation is CacheOperation.Append or CacheOperation.Prepend
            || operation is CacheOperation.Increment or CacheOperation.Decrement;
        if (vivifies && random.Next(3) == 0)
        {
            options |= CacheTermOptions.Vivify;
        }

        return new CacheTerms
        {
            Operation = operation,
            Options = options,
            Flags = (uint)random.Next(3),
            Delta = random.Next(10) == 0 ? ulong.MaxValue - 5 : (ulong)random.Next(100),
            Initial = (ulong)random.Next(10),
            Cas = (ulong)random.Next(2),
            Expiry = random.Next(8) == 0 ? 1_000 : 0,
        };
    }

    // The cache's own numbers have spaces behind them, which are not to be appended to: that would be another number.
    private static (CacheReply Reply, string Value) Run(
        BackedCube cube,
        int rank,
        in CacheTerms terms,
        string key,
        string value
    )
    {
        if (terms.Operation is not (CacheOperation.Get or CacheOperation.GetAndTouch))
        {
            CacheReply reply = cube.Run(rank, terms, key, value);
            if (terms.Operation == CacheOperation.Decrement && reply.Status == CacheStatus.Done)
            {
                string plain = reply.Number.ToString(CultureInfo.InvariantCulture);
                uint flags = cube.Read(rank, key).Reply.Flags;
                Assert.Equal(CacheStatus.Done, cube.Run(rank, CacheOperation.Set, key, plain, flags).Status);
            }

            return (reply, "");
        }

        return cube.Read(rank, key, terms);
    }
}
