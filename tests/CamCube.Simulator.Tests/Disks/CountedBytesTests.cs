using CamCube.Simulator.Disks;

namespace CamCube.Simulator.Tests.Disks;

/// <summary>Values of many gigabytes on simulated disks.</summary>
public sealed class CountedBytesTests
{
    private const int Value = 256 << 10;
    private const int Header = 100;
    private const int Segment = 64 << 20;
    private const int Segments = 64;

    [Fact]
    public void A_part_is_the_same_wherever_it_begins()
    {
        byte[] whole = new byte[200];
        CountedBytes.Fill(whole, 0, 0xFFFF_FFFF_FFFF_FF00, 0x1234_5678_9ABC_DEF1);
        Assert.Equal(0xFFFF_FFFF_FFFF_FF00, BitConverter.ToUInt64(whole));
        Assert.Equal(unchecked(0xFFFF_FFFF_FFFF_FF00 + 0x1234_5678_9ABC_DEF1), BitConverter.ToUInt64(whole, 8));
        for (int from = 0; from < whole.Length; from++)
        {
            for (int length = 0; length <= whole.Length - from; length++)
            {
                byte[] part = new byte[length];
                CountedBytes.Fill(part, from, 0xFFFF_FFFF_FFFF_FF00, 0x1234_5678_9ABC_DEF1);
                Assert.True(part.AsSpan().SequenceEqual(whole.AsSpan(from, length)), $"{length} from {from}");
            }
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void A_file_is_what_was_written_whatever_is_kept_of_it(int seed)
    {
        Random random = new(seed);
        FileContent file = new();
        byte[] live = [],
            safe = [];
        for (int i = 0; i < 2_000; i++)
        {
            switch (random.Next(12))
            {
                case 0:
                    int length = random.Next(40_000);
                    file.SetLength(length);
                    Array.Resize(ref live, length);
                    break;
                case 1:
                    file.Sync();
                    safe = [.. live];
                    break;
                case 2 when random.Next(8) == 0:
                    file.Fail(static _ => null);
                    live = [.. safe];
                    break;
                case 2 when file.Unsynced is [.., { Length: > 0 } last] && random.Next(2) == 0:
                    // All survives but the last write, of which there are some sectors.
                    int sectors = random.Next(last.Sectors + 1);
                    long whole = (last.At / FileContent.Sector) + sectors;
                    int made = sectors == 0 ? 0 : (int)Math.Min(last.Length, (whole * FileContent.Sector) - last.At);
                    byte[] torn = new byte[made];
                    file.Live.Read(last.At, torn);
                    FileContent.Change[] before = [.. file.Unsynced.SkipLast(1)];
                    file.Fail(change => change == last ? change.First(sectors) : change);
                    FileContent plain = new();
                    plain.Write(0, safe);
                    plain.SetLength(safe.Length);
                    Array.ForEach(before, change => change.Make(plain.Live));
                    live = new byte[Math.Max(plain.Live.Length, made > 0 ? last.At + made : 0)];
                    plain.Live.Read(0, live.AsSpan(0, (int)plain.Live.Length));
                    torn.CopyTo(live.AsSpan((int)Math.Min(last.At, live.Length)));
                    safe = [.. live];
                    break;
                case 3 when live.Length > 0 && live.Length == safe.Length && file.Unsynced.Count == 0:
                    int at = random.Next(live.Length);
                    file.Rot(at, 3);
                    safe[at] ^= 8;
                    live[at] = safe[at];
                    break;
                default:
                    byte[] bytes = Draw(random);
                    int offset = random.Next(30_000) & (random.Next(2) == 0 ? ~4_095 : ~0);
                    file.Write(offset, bytes);
                    Array.Resize(ref live, Math.Max(live.Length, bytes.Length > 0 ? offset + bytes.Length : 0));
                    bytes.CopyTo(live.AsSpan(Math.Min(offset, live.Length)));
                    break;
            }

            Assert.Equal((live.Length, safe.Length), (file.Live.Length, file.SafeLength));
            int from = random.Next(live.Length + 1),
                part = random.Next(live.Length - from + 1);
            byte[] read = new byte[part];
            file.Live.Read(from, read);
            Assert.True(read.AsSpan().SequenceEqual(live.AsSpan(from, part)), $"step {i}");
        }
    }

    [Fact]
    public void Four_gibibytes_of_values_on_a_disk_need_a_twentieth_of_that_in_memory()
    {
        using var cube = new DiskCube(options: new SimulatedDiskOptions { CapacityBytes = 8L << 30 });
        byte[] value = new byte[Value + Header];
        long before = Memory();
        for (int segment = 0; segment < Segments; segment++)
        {
            IDiskFile file = cube.Open($"seg-{segment}.log");
            Assert.Equal(DiskStatus.Done, cube.Await(file.SetLengthAsync(Segment)));
            for (int at = 0, i = 0; at + value.Length <= Segment; at += value.Length, i++)
            {
                Make(value, segment, i);
                Assert.Equal(DiskStatus.Done, cube.Await(file.WriteAsync(at, value, sync: true)));
            }

            file.Close();
        }

        Assert.Equal(DiskStatus.Done, cube.Await(cube.Disk.SyncAsync()));
        Assert.InRange(Memory() - before, 0, ((long)Segments * Segment) / 20);
        cube.Cube.Kill(0);
        cube.Cube.Revive(0);
        byte[] read = new byte[value.Length];
        for (int segment = 0; segment < Segments; segment++)
        {
            IDiskFile file = cube.Open($"seg-{segment}.log", create: false);
            Assert.Equal(Segment, file.Length);
            for (int at = 0, i = 0; at + value.Length <= Segment; at += value.Length, i++)
            {
                Make(value, segment, i);
                Assert.Equal(value.Length, cube.Await(file.ReadAsync(at, read)).Value);
                Assert.True(read.AsSpan().SequenceEqual(value), $"{segment} {i}");
            }
        }
    }

    [Fact]
    public void What_is_not_synced_needs_no_memory_either()
    {
        const int Write = 256 << 10,
            Writes = 2_048;
        FileContent file = new();
        byte[] bytes = new byte[Write];
        long before = Memory();
        for (int i = 0; i < Writes; i++)
        {
            CountedBytes.Fill(bytes, (long)i * Write, 1, 0x9E37_79B9_7F4A_7C15);
            file.Write((long)i * Write, [.. bytes]);
        }

        Assert.Equal(Writes, file.Unsynced.Count);
        Assert.InRange(Memory() - before, 0, (long)Write * Writes / 20);
        file.Sync();
        Assert.Equal((long)Write * Writes, file.SafeLength);
        byte[] read = new byte[Write];
        file.Fail(static _ => null);
        file.Live.Read((long)(Writes - 1) * Write, read);
        Assert.Equal(bytes, read);
    }

    // A header that is none, and a value of its own.
    private static void Make(byte[] value, int segment, int i)
    {
        new Random((segment << 16) | i).NextBytes(value.AsSpan(0, Header));
        CountedBytes.Fill(value.AsSpan(Header), 0, (ulong)((segment << 16) | i) << 40, 0x9E37_79B9_7F4A_7C15);
    }

    private static byte[] Draw(Random random)
    {
        byte[] bytes = new byte[random.Next(3) == 0 ? random.Next(200) : random.Next(15_000)];
        if (random.Next(3) == 0)
        {
            random.NextBytes(bytes);
        }
        else
        {
            CountedBytes.Fill(bytes, random.Next(1_000), (ulong)random.NextInt64(), (ulong)random.Next(3));
        }

        return bytes;
    }

    private static long Memory() => GC.GetTotalMemory(forceFullCollection: true);
}
