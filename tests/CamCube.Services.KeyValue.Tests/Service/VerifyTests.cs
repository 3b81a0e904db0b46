using System.Text;
using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Verification;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>All copies are compared, while keys change and servers fail; and what differs is found, and nothing
/// else.</summary>
public sealed class VerifyTests
{
    private const int Keys = 300;

    [Fact]
    public void Copies_that_are_alike_are_compared_and_each_planted_difference_is_found()
    {
        using var cube = new StoreCube(3, 1, 1);
        cube.AwaitLed();
        Fill(cube);
        Assert.Equal(Done, cube.Put(0, "long", new string('l', 3_000_000)).Status);
        Assert.Equal(Done, cube.Delete(0, "key 9").Status);
        cube.AwaitSettled();
        Verified all = Verify(cube, 1);
        Assert.Empty(all.Differences);
        Assert.Empty(all.Skipped);
        Assert.Equal(3 * Keys, all.Compared);
        Assert.InRange(all.Bytes, 9_000_000, 12_000_000);

        // One is lost, one has another's bytes, one cannot be read, of one a piece is lost.
        (Member member, UInt128 name, IndexEntry entry) lost = Find(cube, 2, "key 1"),
            other = Find(cube, 0, "key 2"),
            rotten = Find(cube, 1, "key 3"),
            inPieces = Find(cube, 1, "long");
        cube.Store(2).Host.Index.Remove(lost.member.Id.Number, lost.name);
        cube.Store(0).Host.Index.Put(other.name, other.entry with { Location = Find(cube, 0, "key 5").Entry.Location });
        cube.Store(1)
            .Host.Index.Put(
                rotten.name,
                rotten.entry with
                {
                    Location = rotten.entry.Location with { Offset = rotten.entry.Location.Offset + 8 },
                }
            );
        all = Verify(cube, 0);
        Assert.Equal(
            [
                $"{cube.Cube.Shape.At(2)} key 1 {lost.entry.Version} {CopyDifferenceKind.Missing}",
                $"{cube.Cube.Shape.At(0)} key 2 {other.entry.Version} {CopyDifferenceKind.OtherBytes}",
                $"{cube.Cube.Shape.At(1)} key 3 {rotten.entry.Version} {CopyDifferenceKind.Unreadable}",
            ],
            all.Differences.Order(StringComparer.Ordinal).OrderBy(d => d[6..])
        );
        Assert.Empty(all.Skipped);
        cube.Store(0).Host.Index.Put(other.name, other.entry);
        cube.Store(1).Host.Index.Put(rotten.name, rotten.entry);
        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void Keys_of_a_batch_have_one_version_and_are_compared_together()
    {
        using var cube = new StoreCube(3, 1, 1);
        cube.AwaitLed();
        for (int batch = 0; batch < 12; batch++)
        {
            var puts = new KeyValueBatch();
            for (int key = 0; key < 100; key++)
            {
                puts.Put(KeyValueKey.Of($"{{t}}{batch} {key}"), Encoding.UTF8.GetBytes($"{batch} {key}"));
            }

            Assert.Equal(Done, cube.Cube.Await(cube[batch % 3].ApplyAsync(puts)).Status);
        }

        cube.AwaitSettled();
        Assert.Empty(Verify(cube, 1).Differences);
        (Member member, UInt128 name, IndexEntry entry) = Find(cube, 2, "{t}11 50");
        cube.Store(2).Host.Index.Remove(member.Id.Number, name);
        string difference = Assert.Single(Verify(cube, 0).Differences);
        Assert.Contains($"{entry.Version} {CopyDifferenceKind.OtherBytes}", difference, StringComparison.Ordinal);
        cube.Cube.AssertQuiet();
    }

    [Theory]
    [InlineData(3, 1, 1)]
    [InlineData(3, 3, 1)]
    public void Nothing_differs_while_keys_change_and_servers_go_and_come(int x, int y, int z)
    {
        using var cube = new StoreCube(x, y, z, new KeyValueOptions { SegmentBytes = 512 << 10 });
        cube.AwaitLed();
        Fill(cube);
        var random = new Random(x * y);
        int servers = cube.Cube.Shape.Count,
            away = -1;
        Verified all = Verify(
            cube,
            0,
            part =>
            {
                for (int i = 0; i < 3; i++)
                {
                    cube.Put(0, $"key {random.Next(Keys)}", new string('x', random.Next(4_000)));
                    cube.Delete(0, $"key {random.Next(Keys)}");
                }

                if (part % 50 == 20)
                {
                    away = 1 + random.Next(servers - 1);
                    cube.Cube.Kill(cube.Cube.Shape.At(away));
                }
                else if (part % 50 == 40)
                {
                    cube.Cube.Revive(cube.Cube.Shape.At(away));
                    cube.Cube.AwaitConverged();
                }
            }
        );
        Assert.Empty(all.Differences);
        Assert.NotEmpty(all.Skipped);
        Assert.True(all.Compared > Keys);
        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void What_is_no_cursor_and_no_question_is_refused()
    {
        using var cube = new StoreCube(3, 1, 1);
        cube.AwaitLed();
        foreach (string text in (string[])["", "0", "1-2-3", "-1-0-0-0", "0-0-0-0-0", "99999999999-0-0-0", "a-b-c-d"])
        {
            Assert.Null(VerifyCursor.Read(text));
        }

        foreach (VerifyCursor none in (VerifyCursor[])[new(uint.MaxValue, 0, 0, 0), new(63, 0, 0, 0)])
        {
            Assert.Null(cube.Cube.Await(cube.Store(0).Verifier.VerifyAsync(none)));
        }

        // Of no such version, and no such piece: nothing, but no fault.
        VerifyCursor[] strange =
        [
            new(0, ulong.MaxValue, ulong.MaxValue, 1),
            new(0, 5, 1, 0),
            new(0, 1, 9, uint.MaxValue),
        ];
        foreach (VerifyCursor one in strange)
        {
            Assert.Empty(cube.Cube.Await(cube.Store(0).Verifier.VerifyAsync(one))!.Differences);
        }

        cube.Cube.AssertQuiet();
    }

    private static void Fill(StoreCube cube)
    {
        for (int i = 0; i < Keys; i++)
        {
            Assert.Equal(Done, cube.Put(i % 3, $"key {i}", $"value {i}").Status);
        }
    }

    private static (Member Member, UInt128 Name, IndexEntry Entry) Find(StoreCube cube, int rank, string key)
    {
        MemberHost host = cube.Store(rank).Host;
        Member member = host.Find(GroupId.Of(0, Encoding.UTF8.GetBytes(key), cube.Cube.Shape))!;
        Assert.True(host.TryFind(0, Encoding.UTF8.GetBytes(key), out IndexEntry entry));
        UInt128 name = host.Index.Of(member.Id.Number).Single(one => one.Value.Location == entry.Location).Key;
        return (member, name, entry);
    }

    private static Verified Verify(StoreCube cube, int rank, Action<int>? between = null)
    {
        var all = new Verified([], [], 0, 0);
        VerifyCursor? cursor = null;
        for (int part = 0; part == 0 || cursor is not null; part++)
        {
            Assert.InRange(part, 0, 10_000);
            VerifiedPart one = cube.Cube.Await(cube.Store(rank).Verifier.VerifyAsync(cursor))!;
            Assert.NotEqual(cursor, one.Next);
            all.Differences.AddRange(
                one.Differences.Select(static d =>
                    $"{d.Difference.Server} {Encoding.UTF8.GetString(d.Key ?? [])} "
                    + $"{d.Difference.Version} {d.Difference.Kind}"
                )
            );
            all.Skipped.AddRange(one.Skipped);
            all = all with { Compared = all.Compared + one.Compared, Bytes = all.Bytes + one.Bytes };
            cursor = one.Next;
            between?.Invoke(part);
        }

        return all;
    }

    private sealed record Verified(
        List<string> Differences,
        List<(Coordinate Server, string Why)> Skipped,
        int Compared,
        long Bytes
    );
}
