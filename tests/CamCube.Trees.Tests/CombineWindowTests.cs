using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Trees.Tests;

/// <summary>Windows of records that are combined off the loop.</summary>
public sealed class CombineWindowTests
{
    [Fact]
    public void What_waits_for_more_of_its_key_stays_and_nothing_is_allocated_per_record()
    {
        var window = new CombineWindow(mostRecord: 64);
        byte[] key = new byte[4];
        byte[] value = new byte[8];
        long sum = Fill(window, key, value, 0);
        long before = GC.GetAllocatedBytesForCurrentThread();
        sum += Fill(window, key, value, 1_000);
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.Equal(0, allocated);

        // The last key's have waited, with what it came to.
        Assert.False(window.IsEmpty);
        window.Complete(isLastWhole: true);
        sum += Read(window, out int records);
        Assert.Equal((1, 2_000L * 2_001), (records, sum));
        Assert.True(window.IsEmpty);
        window.Trim();
    }

    // Each number twice, of 500 keys and the last of those before.
    private static long Fill(CombineWindow window, byte[] key, byte[] value, int from)
    {
        for (int i = from; i < from + 1_000; i++)
        {
            WriteInt32BigEndian(key, i / 2);
            WriteInt64LittleEndian(value, i + 1);
            window.Add(key, value, isNew: i % 2 == 0);
            window.Add(key, value, isNew: false);
        }

        Assert.Null(window.Run(Adds));
        window.Complete(isLastWhole: false);
        return Read(window, out _);
    }

    private static readonly ValueCombiner Adds = static (_, left, right, result) =>
    {
        WriteInt64LittleEndian(result, ReadInt64LittleEndian(left) + ReadInt64LittleEndian(right));
        return sizeof(long);
    };

    private static long Read(CombineWindow window, out int records)
    {
        long sum = 0;
        for (records = 0; !window.Output.IsEmpty; records++)
        {
            ReadOnlySpan<byte> record = window.Output;
            _ = RecordFormat.ReadHead(record, out int keyAt, out int keyLength, out int length);
            sum += ReadInt64LittleEndian(record[(keyAt + keyLength)..]);
            window.Send(keyAt + keyLength + length);
        }

        return sum;
    }
}
