using CamCube.Experiments.Generated;

namespace CamCube.Experiments.Tests.Generated;

public sealed class SharedKeysTests
{
    [Theory]
    [InlineData(27, 1.0 / 27)]
    [InlineData(27, 0.1)]
    [InlineData(27, 0.56)]
    [InlineData(27, 1)]
    [InlineData(1, 1)]
    [InlineData(512, 0.25)]
    public void S_is_what_was_asked_and_each_file_has_its_part(int files, double share)
    {
        const int PerFile = 1_000;
        var keys = new SharedKeys(files, PerFile, share, seed: 7);

        Assert.Equal(share, (double)keys.Count / keys.Entries, 0.02 * share);
        Assert.Equal(keys.Count, keys.FilesPerKey.Sum());
        int few = (int)Math.Floor((1 / share) + 1e-9);
        Assert.All(
            Enumerable.Range(0, files + 1).Where(c => c != few && c != few + 1),
            c => Assert.Equal(0, keys.FilesPerKey[c])
        );
        for (int file = 0; file < files; file++)
        {
            int[] own = keys.OfFile(file).ToArray();
            Assert.InRange(own.Length, PerFile * 0.8, PerFile * 1.2);
            Assert.Equal(own.Distinct().Order(), own);
        }
    }

    [Fact]
    public void Keys_differ_and_have_4_to_28_letters_and_a_seed_gives_others()
    {
        var keys = new SharedKeys(3, 50_000, 1, seed: 1);
        var other = new SharedKeys(3, 50_000, 1, seed: 2);
        HashSet<string> all = [];
        int least = int.MaxValue,
            most = 0;
        for (int i = 0; i < keys.Count; i++)
        {
            string key = Text(keys, i);
            Assert.True(all.Add(key), key);
            Assert.Matches("^[a-z2-7]+$", key);
            (least, most) = (Math.Min(least, key.Length), Math.Max(most, key.Length));
        }

        Assert.Equal((SharedKeys.LeastKey, SharedKeys.MostKey), (least, most));
        Assert.NotEqual(Text(keys, 5), Text(other, 5));
        Assert.Equal(Text(keys, 5), Text(new SharedKeys(3, 50_000, 1, seed: 1), 5));
    }

    [Fact]
    public void What_files_have_in_common_is_counted()
    {
        var keys = new SharedKeys(4, 500, 0.4, seed: 3);
        long[,] common = keys.InCommon();
        for (int left = 0; left < 4; left++)
        {
            for (int right = 0; right < 4; right++)
            {
                int both = keys.OfFile(left).ToArray().Intersect(keys.OfFile(right).ToArray()).Count();
                Assert.Equal(both, common[left, right]);
            }
        }
    }

    private static string Text(SharedKeys keys, int number)
    {
        Span<byte> key = stackalloc byte[SharedKeys.MostKey];
        return System.Text.Encoding.ASCII.GetString(key[..keys.WriteKey(number, key)]);
    }
}
