using System.Text;
using CamCube.Services.Distribution.Wire;

namespace CamCube.Services.Distribution.Jobs;

/// <summary>What a source keeps of its jobs on disk, to go on with them after it was started again: a file for each,
/// with the length of the file's name here 1, the name, the manifest. Loop only.</summary>
/// <param name="disk">The server's disk.</param>
internal sealed class SourceJournal(IServerDisk disk)
{
    /// <summary>A job has begun. It goes on without, if the disk does not take it.</summary>
    public async ValueTask WriteAsync(Job job, string file)
    {
        byte[] bytes = [(byte)file.Length, .. Encoding.ASCII.GetBytes(file), .. job.Bytes];
        if ((await disk.OpenAsync(NameOf(job.Manifest.JobNumber), create: true)).Value is { } journal)
        {
            DiskStatus status = await journal.SetLengthAsync(0);
            status = status == DiskStatus.Done ? await journal.WriteAsync(0, bytes, sync: true) : status;
            journal.Close();
            await (status == DiskStatus.Done ? disk.SyncAsync() : RemoveAsync(job.Manifest.JobNumber));
        }
    }

    /// <summary>A job has ended.</summary>
    public ValueTask<DiskStatus> RemoveAsync(ulong job) => disk.DeleteAsync(NameOf(job));

    /// <summary>Reads what was kept of a job. Null: nothing that can be.</summary>
    /// <param name="entry">The file.</param>
    /// <param name="source">This server.</param>
    /// <param name="shape">The cube.</param>
    /// <param name="mostBlocks">Most blocks of a file.</param>
    public async ValueTask<(string File, Manifest Manifest, byte[] Bytes)?> ReadAsync(
        DiskEntry entry,
        Coordinate source,
        TorusShape shape,
        int mostBlocks
    )
    {
        if (
            entry.Length > 1 + byte.MaxValue + ManifestFormat.MostBytes(shape, mostBlocks)
            || (await disk.OpenAsync(entry.Name, create: false)).Value is not { } journal
        )
        {
            return null;
        }

        byte[] bytes = new byte[entry.Length];
        DiskResult<int> read = await journal.ReadAsync(0, bytes);
        journal.Close();
        int length = bytes.Length > 0 ? bytes[0] : 0;
        if (!read.IsDone || read.Value != bytes.Length || bytes.Length <= 1 + length)
        {
            return null;
        }

        // All but the name has a sum.
        string file = Encoding.ASCII.GetString(bytes.AsSpan(1, length));
        byte[] rest = bytes[(1 + length)..];
        return
            FileName.WrongOf(file) is null
            && ManifestFormat.TryRead(rest, shape, mostBlocks) is { } manifest
            && manifest.Source == source
            && entry.Name == NameOf(manifest.JobNumber)
            ? (file, manifest, rest)
            : null;
    }

    private static string NameOf(ulong job) => $"{job:x16}{FileName.Source}";
}
