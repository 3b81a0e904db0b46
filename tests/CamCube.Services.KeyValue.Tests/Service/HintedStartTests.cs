using System.Globalization;
using System.Text;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;
using CamCube.Testing;
using static CamCube.Services.KeyValue.KeyValueStatus;

namespace CamCube.Services.KeyValue.Tests.Service;

/// <summary>A start reads hints in place of segments, and has what the segments have.</summary>
public sealed class HintedStartTests
{
    private const int Keys = 240;
    private static readonly KeyValueOptions Small = new() { MaxValueLength = 64 << 10, SegmentBytes = 512 << 10 };

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void All_that_was_answered_is_there_after_power_failed_everywhere(bool hasLong)
    {
        using StoreCube cube = Filled(hasLong ? new KeyValueOptions { SegmentBytes = 512 << 10 } : Small);
        byte[] large = new byte[300_000];
        new Random(3).NextBytes(large);
        for (int i = 0; hasLong && i < 30; i++)
        {
            KeyValueKey key = KeyValueKey.Of($"long {i}");
            Assert.Equal(Done, cube.Cube.Await(cube[i % 3].PutAsync(key, large.AsMemory(i), new KeyValuePut())).Status);
        }

        cube.Cube.Advance(TimeSpan.FromSeconds(20));
        for (int round = 0; round < 2; round++)
        {
            for (int rank = 0; rank < 3; rank++)
            {
                cube.Cube.Cube.Kill(rank);
            }

            for (int rank = 0; rank < 3; rank++)
            {
                cube.Cube.Cube.Revive(rank);
            }

            cube.Cube.AwaitUntil(() => Enumerable.Range(0, 3).All(rank => cube.Store(rank).Host.IsOpen));
            Assert.All(Enumerable.Range(0, 3), rank => Assert.True(Hinted(cube, rank).Any()));
            cube.AwaitSettled();
            Check(cube);
            for (int i = 0; hasLong && i < 30; i += 7)
            {
                var value = new System.Buffers.ArrayBufferWriter<byte>();
                cube.Cube.Await(cube[round].GetAsync(KeyValueKey.Of($"long {i}"), value: value));
                Assert.True(value.WrittenSpan.SequenceEqual(large.AsSpan(i)));
            }

            // What those have as their own log that lead now, too.
            cube.Cube.Kill(cube.Cube.Shape.At(round));
            Check(cube, asks: 2);
            cube.Cube.Revive(cube.Cube.Shape.At(round));
            cube.Cube.AwaitConverged();
            cube.AwaitSettled();
        }

        cube.Cube.AssertQuiet();
    }

    [Fact]
    public void Rot_that_a_start_meets_in_what_a_hint_stands_for_is_damage_as_if_there_were_no_hint()
    {
        using StoreCube cube = Filled(Small);
        cube.Cube.Advance(TimeSpan.FromSeconds(20));
        StoreId before = cube.Store(2).Host.Store;
        uint[] hinted = [.. Hinted(cube, 2)];
        LogLocation at = cube.Store(2)
            .Host.Members.SelectMany(static m =>
                Enumerable.Range(1, (int)(m.Tail.Last - m.Tail.Base)).Select(i => m.Tail[m.Tail.Base + (ulong)i])
            )
            .First(e => e.Operation is { Value.Length: > 1_000 } && hinted.Contains(e.Location.Segment))
            .Location;
        string name = string.Create(CultureInfo.InvariantCulture, $"seg-{at.Segment:x8}.log");
        IServerDisk disk = cube.Cube.Cube.ServerOf<KeyValueService>(2).Disk;
        IDiskFile file = cube.Cube.Await(disk.OpenAsync(name, create: false)).Value!;
        byte[] one = new byte[1];
        long place = at.Offset + at.Length - 100;
        Assert.Equal(1, cube.Cube.Await(file.ReadAsync(place, one)).Value);
        one[0] ^= 8;
        Assert.Equal(DiskStatus.Done, cube.Cube.Await(file.WriteAsync(place, one, sync: true)));
        cube.Cube.Cube.Kill(2);
        cube.Cube.Cube.Revive(2);
        cube.Cube.AwaitUntil(() => cube.Store(2).Host.IsOpen);
        Assert.NotEqual(before, cube.Store(2).Host.Store);
        cube.Cube.AwaitConverged();
        cube.AwaitSettled();
        cube.Cube.Kill(cube.Cube.Shape.At(0));
        Check(cube, asks: 2);
    }

    private static IEnumerable<uint> Hinted(StoreCube cube, int rank) =>
        cube.Store(rank).Host.Log!.Segments.All.Where(static s => s.HasHint).Select(static s => s.Number);

    private static StoreCube Filled(KeyValueOptions options)
    {
        var cube = new StoreCube(3, 1, 1, options);
        cube.AwaitLed();
        for (int key = 0; key < Keys; key++)
        {
            Assert.Equal(Done, cube.Put(key % 3, $"key {key}", ValueOf(key)).Status);
        }

        for (int key = 0; key < Keys; key += 10)
        {
            Assert.Equal(Done, cube.Delete(key % 3, $"key {key}").Status);
            Assert.Equal(Done, cube.Change(0, $"key {key + 1}", KeyValueChange.Append("+"u8.ToArray())).Answer.Status);
            Assert.Equal(Done, cube.Change(1, $"sum {key}", KeyValueChange.Add(key)).Answer.Status);
        }

        return cube;
    }

    private static void Check(StoreCube cube, int asks = 0)
    {
        for (int key = 0; key < Keys; key++)
        {
            (KeyValueAnswer answer, string value) = cube.Get(asks, $"key {key}");
            string expected =
                key % 10 == 0 ? ""
                : key % 10 == 1 ? $"{ValueOf(key)}+"
                : ValueOf(key);
            Assert.Equal((key % 10 == 0 ? NotFound : Done, expected), (answer.Status, value));
            if (key % 10 == 0)
            {
                Assert.Equal($"{key}", cube.Get(asks, $"sum {key}").Value);
            }
        }
    }

    private static string ValueOf(int key) => $"{key} {new string('x', 12_000)}";
}
