using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.KeyValue.Log;

/// <summary>
/// The head of a batch, what one write and one sync bring to the disk: its number, the number up to which all were
/// synced when it was written, and a sum of each of its sectors. The sum of the first sector, with this sum as zero,
/// stands there too, and so do those of the other sectors that the head needs.
/// </summary>
/// <param name="Number">From 1, without gaps over all segments.</param>
/// <param name="SyncedThrough">All batches up to this one were synced.</param>
/// <param name="BodyLength">Bytes of its records.</param>
/// <param name="Count">Its sectors.</param>
internal readonly record struct BatchHead(ulong Number, ulong SyncedThrough, int BodyLength, int Count)
{
    private const uint Magic = 0x4256_4B43;
    private const int AtSums = 32;

    /// <summary>Sectors of the largest batch. So few that the sums of all sectors of the head are in its
    /// first.</summary>
    public static readonly int MostSectors = SectorsFor(LogOptions.MostBufferBytes);

    public int Length => AtSums + (sizeof(uint) * Count);

    public int Bytes => Count * Sectors.Size;

    public static int SectorsFor(int body)
    {
        int count = 1;
        while (count * Sectors.Size < AtSums + (sizeof(uint) * count) + body)
        {
            count = (int)(Sectors.RoundUp(AtSums + (sizeof(uint) * count) + body) / Sectors.Size);
        }

        return count;
    }

    /// <summary>Writes the head of a batch whose records are in place behind it.</summary>
    public void Seal(Span<byte> batch, LogIdentity log, uint segment, long offset)
    {
        batch[..Length].Clear();
        WriteUInt32LittleEndian(batch, Magic);
        WriteUInt32LittleEndian(batch[4..], (uint)Count);
        WriteUInt64LittleEndian(batch[8..], Number);
        WriteUInt64LittleEndian(batch[16..], SyncedThrough);
        WriteUInt32LittleEndian(batch[24..], (uint)BodyLength);

        // Backwards: the sums in a sector of the head are those of later sectors.
        for (int i = Count - 1; i >= 0; i--)
        {
            WriteUInt32LittleEndian(
                batch[(AtSums + (sizeof(uint) * i))..],
                Sectors.Sum(
                    Sectors.Seed(log, segment, offset + (i * Sectors.Size)),
                    batch.Slice(i * Sectors.Size, Sectors.Size)
                )
            );
        }
    }

    /// <summary>Whether the first sector of a batch is here.</summary>
    public static bool TryRead(
        ReadOnlySpan<byte> sector,
        LogIdentity log,
        uint segment,
        long offset,
        out BatchHead head
    )
    {
        head = default;
        uint count = ReadUInt32LittleEndian(sector[4..]);
        if (ReadUInt32LittleEndian(sector) != Magic || count == 0 || count > MostSectors)
        {
            return false;
        }

        Span<byte> copy = stackalloc byte[Sectors.Size];
        sector[..Sectors.Size].CopyTo(copy);
        copy.Slice(AtSums, sizeof(uint)).Clear();
        if (ReadUInt32LittleEndian(sector[AtSums..]) != Sectors.Sum(Sectors.Seed(log, segment, offset), copy))
        {
            return false;
        }

        head = new BatchHead(
            ReadUInt64LittleEndian(sector[8..]),
            ReadUInt64LittleEndian(sector[16..]),
            (int)ReadUInt32LittleEndian(sector[24..]),
            (int)count
        );
        return head.BodyLength >= 0 && head.Length + head.BodyLength <= head.Bytes;
    }

    /// <summary>Looks at all sectors but the first.</summary>
    /// <param name="batch">The batch; behind the end of the file, zeros.</param>
    /// <param name="log">Whose it is.</param>
    /// <param name="segment">Its segment.</param>
    /// <param name="offset">Its place.</param>
    /// <param name="isRotten">Some are neither right nor zero.</param>
    /// <returns>Whether all are right.</returns>
    public bool AreRight(ReadOnlySpan<byte> batch, LogIdentity log, uint segment, long offset, out bool isRotten)
    {
        bool isRight = true;
        isRotten = false;
        for (int i = 1; i < Count; i++)
        {
            ReadOnlySpan<byte> sector = batch.Slice(i * Sectors.Size, Sectors.Size);
            uint sum = Sectors.Sum(Sectors.Seed(log, segment, offset + (i * Sectors.Size)), sector);
            if (ReadUInt32LittleEndian(batch[(AtSums + (sizeof(uint) * i))..]) != sum)
            {
                isRight = false;
                isRotten |= !Sectors.IsZero(sector);
            }
        }

        return isRight;
    }
}
