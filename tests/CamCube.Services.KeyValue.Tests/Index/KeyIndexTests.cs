using System.Security.Cryptography;
using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Tests.Log;

namespace CamCube.Services.KeyValue.Tests.Index;

/// <summary>What the index of a server costs, and what it keeps.</summary>
public sealed class KeyIndexTests
{
    [Theory]
    [InlineData(200_000)]
    [InlineData(700_000)]
    public void A_key_takes_at_most_44_bytes_and_none_makes_much_to_do(int keys)
    {
        using var stage = new LogStage(new LogOptions());
        var index = new KeyIndex(new IndexMemory(stage.Cube.ServerOf<LogModel>(0).Memory), 0);
        long most = 0;
        for (int i = 0; i < keys; i++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            index.Put(Name(i), new IndexEntry((ulong)i, new LogLocation(1, 512, 128), 40, (uint)i % 144, false));
            most = Math.Max(most, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        Assert.Equal(keys, index.Count);
        Assert.InRange(index.Bytes / (double)keys, 40, 44);

        // A page, and some of what says where pages are: nothing that is larger the more keys there are.
        Assert.InRange(most, 0, 96 << 10);
        Assert.False(index.IsShort);
        index.Clear();
        Assert.Equal((0L, 0), (index.Bytes, index.Count));
    }

    [Fact]
    public void Where_there_is_no_memory_it_keeps_all_and_says_so_until_there_is_some()
    {
        using var stage = new LogStage(new LogOptions(), memory: 300_000);
        IServerMemory memory = stage.Cube.ServerOf<LogModel>(0).Memory;
        Assert.True(memory.TryClaim("other", 200_000, out IMemoryClaim? other));
        var index = new KeyIndex(new IndexMemory(memory), 0);
        for (int i = 0; i < 3_000; i++)
        {
            index.Put(Name(i), new IndexEntry((ulong)i, new LogLocation(1, 512, 128), 40, 0, false));
        }

        Assert.True(index.IsShort);
        Assert.InRange(memory.Claimed, 200_000, 300_000);
        for (int i = 0; i < 3_000; i++)
        {
            Assert.True(index.TryGet(0, Name(i), out IndexEntry entry));
            Assert.Equal((ulong)i, entry.Version);
        }

        other.Release();
        Assert.False(index.IsShort);
        index.Clear();
        Assert.Equal(0, memory.Claimed);
    }

    [Fact]
    public void All_of_an_entry_is_kept_and_a_time_never_becomes_an_earlier_one()
    {
        var random = new Random(5);
        const long Begin = -3_000_000_000_000_000_000;
        var keys = new GroupKeys(new KeySlots(new IndexMemory(new NoMemory()), Begin), 7);
        for (int i = 0; i < 20_000; i++)
        {
            long after = random.NextInt64(1, 1L << random.Next(1, 62));
            var location = new LogLocation(
                (uint)random.Next(1 << random.Next(1, 28)),
                (uint)random.Next(1 << 28) * 4,
                random.Next(1 << random.Next(1, 19)) * 8
            );
            bool isTimed = random.Next(2) == 0;
            var entry = new IndexEntry(
                (ulong)random.NextInt64(),
                location,
                random.Next() >> random.Next(31),
                7,
                random.Next(2) == 0
            )
            {
                IsInPieces = random.Next(2) == 0,
                DueNanos = isTimed ? Begin + after : 0,
            };
            keys.Remove(Name(1));
            keys.Put(Name(1), entry);
            Assert.True(keys.TryGet(Name(1), out IndexEntry kept));
            Assert.Equal(entry, kept with { DueNanos = entry.DueNanos });
            long unit = after < 366L * 86_400_000 * KeySlots.TimeUnit ? KeySlots.TimeUnit : 125 * KeySlots.TimeUnit;
            Assert.InRange(kept.DueNanos - entry.DueNanos, 0, isTimed ? unit - 1 : 0);
        }
    }

    [Theory]
    [InlineData(0, "a3817f04ba25a8e66df67214c7550293")]
    [InlineData(1, "da87c1d86b99af44347659119b22fc45")]
    [InlineData(2, "8177228da4a45dc7fca38bdef60affe4")]
    [InlineData(15, "5493e99933b0a8117e08ec0f97cfc3d9")]
    public void Names_follow_from_SipHash_with_128_bits(int length, string expected)
    {
        byte[] bytes = [.. Enumerable.Range(0, length).Select(i => (byte)i)];
        byte[] hash = new byte[16];
        System.Buffers.Binary.BinaryPrimitives.WriteUInt128LittleEndian(
            hash,
            new SipHash(0x0706050403020100, 0x0f0e0d0c0b0a0908).Of(bytes)
        );
        Assert.Equal(expected, Convert.ToHexStringLower(hash));
    }

    private static UInt128 Name(int number)
    {
        byte[] hash = SHA256.HashData(BitConverter.GetBytes(number));
        return System.Buffers.Binary.BinaryPrimitives.ReadUInt128LittleEndian(hash) >> 48;
    }
}
