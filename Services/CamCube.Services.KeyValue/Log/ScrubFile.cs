using static System.Buffers.Binary.BinaryPrimitives;

namespace CamCube.Services.KeyValue.Log;

/// <summary>The file <c>scrub</c>: how far the scrubber is, so that it goes on there after a start. One that is wrong
/// is as good as none.</summary>
internal static class ScrubFile
{
    public const string Name = "scrub";
    private const ulong Magic = 0x4255_5243_5353_4B43;

    public static async ValueTask<(long BegunNanos, uint Segment)?> Read(IServerDisk disk, LogIdentity log)
    {
        DiskResult<IDiskFile> opened = await disk.OpenAsync(Name, create: false).ConfigureAwait(true);
        if (opened.Value is not { } file)
        {
            return null;
        }

        byte[] sector = new byte[Sectors.Size];
        DiskResult<int> read = await file.ReadAsync(0, sector).ConfigureAwait(true);
        file.Close();
        bool isRight =
            read.Value == Sectors.Size
            && SegmentFormat.TryRead(sector, Magic, 0, out uint version, out LogIdentity of)
            && version == SegmentFormat.Version
            && of == log;
        return isRight ? (ReadInt64LittleEndian(sector.AsSpan(32)), ReadUInt32LittleEndian(sector.AsSpan(40))) : null;
    }

    public static ValueTask<DiskStatus> Write(IServerDisk disk, LogIdentity log, long begunNanos, uint segment)
    {
        byte[] sector = new byte[Sectors.Size];
        SegmentFormat.Write(sector, Magic, log, 0);
        WriteInt64LittleEndian(sector.AsSpan(32), begunNanos);
        WriteUInt32LittleEndian(sector.AsSpan(40), segment);
        SegmentFormat.Seal(sector);
        return disk.ReplaceAsync(Name, sector);
    }
}
