using System.Text;
using CamCube.Services.Files.Records;
using CamCube.Services.KeyValue;

namespace CamCube.Services.Files.Tests.Records;

/// <summary>What is kept beside names: whole again after it was read, and no rubbish that others put there does
/// harm.</summary>
public sealed class RecordTests
{
    [Fact]
    public void A_record_and_its_chunks_are_read_as_they_were_written()
    {
        var random = new Random(1);
        for (int i = 0; i < 2_000; i++)
        {
            var chunks = new ChunkList(new UInt128((ulong)random.NextInt64(), (ulong)random.NextInt64()), i % 16);
            for (int count = random.Next(5); count > 0; count--)
            {
                chunks.Add(random.Next(1, int.MaxValue), random.Next());
            }

            EntryRecord record = Record(random, chunks);
            EntryRecord read = EntryRecord.Read(record.ToBytes())!;
            Assert.Equal(
                (record.IsDirectory, record.Chunks, record.CreatedMillis, record.Length, record.Id, record.MediaType),
                (read.IsDirectory, read.Chunks, read.CreatedMillis, read.Length, read.Id, read.MediaType)
            );
            Assert.Equal(record.Sha256.ToArray(), read.Sha256.ToArray());
            ChunkList back = ChunkList.Read(read, chunks.ToBytes(), i % 16)!;
            Assert.Equal((chunks.Count, chunks.Length), (back.Count, back.Length));
            for (int at = 0; at < chunks.Count; at++)
            {
                KeyValueKey key = chunks.KeyOf(at);
                Assert.Equal(key.Bytes.ToArray(), back.KeyOf(at).Bytes.ToArray());
                Assert.True(ChunkList.TryReadKey(key.Bytes.Span, out UInt128 id, out int index));
                Assert.Equal((chunks.Id, at), (id, index));
            }
        }
    }

    [Fact]
    public void A_chunk_has_its_home_where_it_is_wanted()
    {
        foreach (TorusShape shape in (TorusShape[])[new(1, 1, 1), new(3, 1, 1), new(3, 3, 3), new(8, 8, 8)])
        {
            for (int rank = 0; rank < shape.Count; rank += 1 + (shape.Count / 40))
            {
                var chunks = new ChunkList((UInt128)rank, 3);
                int tag = chunks.TagFor(shape.At(rank), shape);
                Assert.Equal(shape.At(rank), chunks.Key(0, tag).ToKey().HomeIn(shape));
            }
        }
    }

    // Every length, every byte, and records of which some bytes are others.
    [Fact]
    public void Rubbish_is_no_record_or_one_that_can_be_shown()
    {
        var random = new Random(2);
        for (int i = 0; i < 200_000; i++)
        {
            byte[] bytes;
            if (i % 2 == 0)
            {
                bytes = new byte[random.Next(220)];
                random.NextBytes(bytes);
                if (bytes.Length > 3)
                {
                    "F\u0001\u0001"u8.CopyTo(bytes);
                }
            }
            else
            {
                bytes = Record(random, new ChunkList(1, 0)).ToBytes();
                for (int changes = random.Next(1, 9); changes > 0; changes--)
                {
                    bytes[random.Next(bytes.Length)] = random.Next(3) switch
                    {
                        0 => 0,
                        1 => 255,
                        _ => (byte)random.Next(256),
                    };
                }
            }

            if (EntryRecord.Read(bytes) is { } record)
            {
                FileEntry entry = record.ToEntry("/a", 1);
                Assert.True(entry.Length >= 0 && entry.Chunks >= 0 && entry.Created.Year is > -10_000 and < 10_000);
                Assert.DoesNotContain(entry.MediaType, static one => char.IsControl(one));
                _ = ChunkList.Read(record, bytes.AsSpan(0, random.Next(bytes.Length)), 0);
            }
        }

        Assert.Null(EntryRecord.Read(Least()));
    }

    [Theory]
    [InlineData("")]
    [InlineData("chunk{")]
    [InlineData("chunk{1}")]
    [InlineData("chunk{1}0123456789abcdef0123456789abcdef")]
    [InlineData("chunk{1}0123456789abcdef0123456789abcdef/")]
    [InlineData("chunk{1}0123456789abcdef0123456789abcdef/x")]
    [InlineData("chunk{1}0123456789abcdef0123456789abcdeg/1")]
    [InlineData("chunk{1}0123456789abcdef0123456789abcdef/99999999999")]
    [InlineData("chunk{1}0123456789abcdef0123456789abcdef/1 ")]
    [InlineData("junk{1}0123456789abcdef0123456789abcdef/1")]
    public void What_is_no_key_of_a_chunk_is_told(string key) =>
        Assert.False(ChunkList.TryReadKey(Encoding.UTF8.GetBytes(key), out _, out _));

    private static EntryRecord Record(Random random, ChunkList chunks)
    {
        byte[] sum = new byte[32];
        random.NextBytes(sum);
        return new EntryRecord
        {
            IsDirectory = random.Next(2) == 0,
            Chunks = chunks.Count,
            Length = chunks.Length,
            CreatedMillis = random.NextInt64(2_000_000_000_000),
            Id = chunks.Id,
            Sha256 = sum,
            MediaType = new string('x', random.Next(EntryRecord.MostMediaType + 1)),
        };
    }

    // The number whose absolute value is none.
    private static byte[] Least()
    {
        byte[] bytes = new EntryRecord { CreatedMillis = long.MinValue }.ToBytes();
        return bytes;
    }
}
