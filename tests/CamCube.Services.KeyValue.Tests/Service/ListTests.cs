using System.Text;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>Lists of the whole cube, while keys come and go and servers fail.</summary>
public sealed class ListTests
{
    [Fact]
    public void Each_key_is_listed_once_at_any_server_in_parts_of_any_length()
    {
        using var cube = new StoreCube(3, 1, 1);
        cube.AwaitLed();
        Assert.Empty(cube.List(0, "", 10));
        string[] keys =
        [
            .. Enumerable.Range(0, 300).Select(i => $"a{i}"),
            .. Enumerable.Range(0, 40).Select(i => $"{{tag}}{i}"),
            new string('l', 60_000),
            "a\0b",
            "ü",
        ];
        foreach (string key in keys)
        {
            Assert.Equal(Done, cube.Put(key.Length % 3, key, key[..1]).Status);
        }

        Assert.Equal(Done, cube.Delete(0, "a7").Status);
        IEnumerable<string> left = keys.Except(["a7"]);
        foreach (int limit in (int[])[int.MinValue, 1, 7, 1_000, int.MaxValue])
        {
            Dictionary<string, int> listed = cube.List(Math.Abs(limit % 3), "", limit);
            Assert.Equal(left.Order(StringComparer.Ordinal), listed.Keys.Order(StringComparer.Ordinal));
            Assert.All(listed, key => Assert.Equal(1, key.Value));
        }

        Assert.Equal(keys.Count(k => k.StartsWith("a1", StringComparison.Ordinal)), cube.List(1, "a1", 50).Count);
        Assert.Equal(40, cube.List(2, "{tag}", 50).Count);
        Assert.Empty(cube.List(2, "b", 50));
        KeyValuePage page = cube.Cube.Await(cube[0].ListAsync(KeyValueKey.Of("a12"), null, 1_000));
        Assert.All(
            page.Keys,
            key => Assert.Equal((1, cube.Get(1, Text(key)).Answer.Version), (key.Length, key.Version))
        );
        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void A_prefix_with_a_whole_tag_asks_only_the_servers_of_that_tag()
    {
        using var cube = new StoreCube(3, 3, 1);
        cube.AwaitLed();
        for (int i = 0; i < 40; i++)
        {
            Assert.Equal(Done, cube.Put(i % 9, $"a{{tag}}{i}", "1").Status);
            Assert.Equal(Done, cube.Put(i % 9, $"a{i}", "1").Status);
        }

        long ToList(string prefix, int expected)
        {
            long packets = 0;
            cube.Cube.Lose = (_, _, _) => ++packets < 0;
            Assert.Equal(expected, cube.List(4, prefix, 7).Count);
            cube.Cube.Lose = null;
            return packets;
        }

        long tagged = ToList("a{tag}", 40),
            all = ToList("a", 80);
        Assert.Equal(11, cube.List(2, "a{tag}3", 7).Count);
        Assert.Equal(0, ToList("a{none}", 0) / 100);

        // Of 54 groups one is asked.
        Assert.InRange(tagged, 1, all / 8);

        // What is no whole tag asks all of them.
        Assert.Equal(40, cube.List(4, "a{ta", 7).Count);
        Assert.Empty(cube.List(4, "a{}", 7));
        cube.Cube.AssertQuiet();
    }

    [Theory]
    [InlineData(3, 1, 1)]
    [InlineData(3, 3, 1)]
    public void What_stays_is_listed_while_others_come_and_go_and_leaders_fail(int x, int y, int z)
    {
        using var cube = new StoreCube(
            x,
            y,
            z,
            new KeyValueOptions { MaxValueLength = 8 << 10, SegmentBytes = 512 << 10 }
        );
        cube.AwaitLed();
        string[] stay = [.. Enumerable.Range(0, 200).Select(i => $"stay {i}")];
        foreach (string key in stay)
        {
            Assert.Equal(Done, cube.Put(0, key, "first").Status);
        }

        var random = new Random(x * y);
        int away = -1,
            made = 0,
            servers = cube.Cube.Shape.Count;
        Dictionary<string, int> listed = cube.List(
            0,
            "",
            13,
            page =>
            {
                for (int i = 0; i < 6; i++)
                {
                    // Some stay and have another value, some come, some of those go.
                    Assert.Equal(Done, cube.Put(0, stay[random.Next(stay.Length)], $"page {page}").Status);
                    Assert.Equal(Done, cube.Put(0, $"comes {made++}", new string('x', random.Next(4_000))).Status);
                    KeyValueStatus gone = cube.Delete(0, $"comes {random.Next(made)}").Status;
                    Assert.Contains(gone, (KeyValueStatus[])[Done, NotFound, Unknown]);
                }

                if (page % 5 == 2 && away < 0)
                {
                    away = 1 + random.Next(servers - 1);
                    cube.Cube.Kill(cube.Cube.Shape.At(away));
                }
                else if (page % 5 == 4 && away >= 0)
                {
                    cube.Cube.Revive(cube.Cube.Shape.At(away));
                    cube.Cube.AwaitConverged();
                    cube.AwaitSettled();
                    away = -1;
                }
            }
        );
        Assert.Empty(stay.Except(listed.Keys));
        Assert.All(
            listed.Keys,
            key =>
                Assert.True(
                    key.StartsWith("stay ", StringComparison.Ordinal)
                        || key.StartsWith("comes ", StringComparison.Ordinal)
                )
        );
        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void Foreign_and_cut_cursors_are_none_and_a_list_without_a_majority_is_unavailable()
    {
        using var cube = new StoreCube(3, 1, 1, new KeyValueOptions { Timeout = TimeSpan.FromSeconds(1) });
        cube.AwaitLed();
        for (int i = 0; i < 50; i++)
        {
            Assert.Equal(Done, cube.Put(0, $"key {i}", "value").Status);
        }

        string cursor = cube.Cube.Await(cube[0].ListAsync(KeyValueKey.Of("key"), null, 5)).Next!;
        Assert.Matches("^[A-Za-z0-9_-]+$", cursor);
        List<string> wrong = ["", "0", "?", "ü", new('A', 60), new('A', 4_000), $"{cursor}A", $" {cursor}"];
        for (int i = 0; i < cursor.Length; i++)
        {
            wrong.Add(cursor[..i]);
            wrong.Add($"{cursor[..i]}{(cursor[i] == 'A' ? 'B' : 'A')}{cursor[(i + 1)..]}");
        }

        foreach (string one in wrong)
        {
            Assert.Equal(BadCursor, cube.Cube.Await(cube[1].ListAsync(KeyValueKey.Of("key"), one, 5)).Status);
        }

        // Of another prefix, another table, another cube.
        Assert.Equal(BadCursor, cube.Cube.Await(cube[1].ListAsync(KeyValueKey.Of("ke"), cursor, 5)).Status);
        Assert.Equal(BadCursor, cube.Cube.Await(cube[1].ListAsync(KeyValueKey.Of("key", 1), cursor, 5)).Status);
        using (var other = new StoreCube(4, 1, 1))
        {
            Assert.Equal(BadCursor, other.Cube.Await(other[1].ListAsync(KeyValueKey.Of("key"), cursor, 5)).Status);
        }

        Assert.Equal(BadKey, cube.Cube.Await(cube[1].ListAsync(new KeyValueKey(new byte[65_536]), null, 5)).Status);
        Assert.Equal(BadKey, cube.Cube.Await(cube[1].ListAsync(KeyValueKey.Of("", 16), null, 5)).Status);
        cube.Cube.Kill(cube.Cube.Shape.At(1));
        cube.Cube.Kill(cube.Cube.Shape.At(2));
        Assert.Equal(Unavailable, cube.Cube.Await(cube[0].ListAsync(KeyValueKey.Of("key"), cursor, 5)).Status);
    }

    private static string Text(KeyValueListing listed) => Encoding.UTF8.GetString(listed.Key.Span);
}
