using System.Text.Json;
using CamCube.Services.Files;

namespace CamCube.Services.Camdoop.Plans;

/// <summary>What is kept of jobs in the file store: a directory for each, with files that are written once, so whoever
/// writes second reads what the first has written. Loop only.</summary>
/// <param name="files">The file store.</param>
internal sealed class JobBook(Dependency<IFiles> files)
{
    /// <summary>The directory of all jobs.</summary>
    public const string Directory = "/.camdoop";

    /// <summary>The record of what a job is to do.</summary>
    public const string DescriptionName = "job";

    /// <summary>The record of how its input was cut.</summary>
    public const string PlanName = "plan";

    /// <summary>The report of a job that is over.</summary>
    public const string ReportName = "report";

    private const string LeftOutPrefix = "left-out-";

    // A job that the file store cannot take for so long is given up by who asks.
    private const int MostBytes = 64 << 20;

    /// <summary>The directory of a job.</summary>
    public static string DirectoryOf(ulong job) => FilePath.Join(Directory, JobName.Of(job));

    /// <summary>Writes a record that is not there. Who comes second gets Exists.</summary>
    public async ValueTask<FileStatus> WriteAsync<T>(ulong job, string name, T record)
    {
        if (!files.IsAvailable)
        {
            return FileStatus.Unavailable;
        }

        byte[] bytes = JsonSerializer.SerializeToUtf8Bytes(record, CamdoopJson.TypeOf<T>());
        using IFileWriter writer = files.Value.OpenWrite(
            FilePath.Join(DirectoryOf(job), name),
            new FileCreation { MediaType = "application/json" }
        );
        FileStatus status = await writer.WriteAsync(bytes);
        return status == FileStatus.Done ? (await writer.CommitAsync()).Status : status;
    }

    /// <summary>Reads a record.</summary>
    /// <returns>Done with it; NotFound, Unavailable, or DataAway; Exists: it cannot be read.</returns>
    public async ValueTask<(FileStatus Status, T? Record)> ReadAsync<T>(ulong job, string name)
        where T : class
    {
        if (!files.IsAvailable)
        {
            return (FileStatus.Unavailable, null);
        }

        using IFileReader reader = await files.Value.OpenReadAsync(FilePath.Join(DirectoryOf(job), name));
        if (reader.Answer.Status != FileStatus.Done || reader.Answer.Entry is not { IsDirectory: false } entry)
        {
            return (reader.Answer.Status == FileStatus.Done ? FileStatus.NotFound : reader.Answer.Status, null);
        }

        using var bytes = new MemoryStream((int)Math.Min(entry.Length, MostBytes));
        while (bytes.Length < MostBytes)
        {
            FilePart part = await reader.ReadAsync();
            if (part.Status != FileStatus.Done)
            {
                return (part.Status, null);
            }

            if (part.Bytes.IsEmpty)
            {
                break;
            }

            bytes.Write(part.Bytes.Span);
        }

        return CamdoopJson.TryRead(bytes.GetBuffer().AsSpan(0, (int)bytes.Length), out T? record)
            ? (FileStatus.Done, record)
            : (FileStatus.Exists, null);
    }

    /// <summary>Reads how its input was cut.</summary>
    /// <returns>As <see cref="ReadAsync{T}"/>; Exists, too: it is no plan for such a cube.</returns>
    public async ValueTask<(FileStatus Status, PlanRecord? Record)> ReadPlanAsync(ulong job, TorusShape shape)
    {
        (FileStatus status, PlanRecord? record) = await ReadAsync<PlanRecord>(job, PlanName);
        return record is null || record.Splits.All(split => split.Home < shape.Count)
            ? (status, record)
            : (FileStatus.Exists, null);
    }

    /// <summary>Writes down that a job goes on without a task that has failed.</summary>
    public ValueTask<FileStatus> LeaveOutAsync(ulong job, bool isMap, int task) =>
        WriteAsync(job, $"{LeftOutPrefix}{JobName.OfTask(job, isMap, task)}", new EndRecord(JobPhase.Failed, null));

    /// <summary>The tasks that a job goes on without; null: they cannot be read now.</summary>
    public async ValueTask<IReadOnlyList<(bool IsMap, int Task)>?> ReadLeftOutAsync(ulong job)
    {
        List<(bool IsMap, int Task)> all = [];
        string? cursor = null;
        do
        {
            FilePage page = files.IsAvailable
                ? await files.Value.ListAsync(DirectoryOf(job), cursor)
                : new FilePage(FileStatus.Unavailable);
            if (page.Status != FileStatus.Done)
            {
                return null;
            }

            foreach (FileEntry entry in page.Entries)
            {
                string name = FilePath.NameOf(entry.Path);
                if (
                    name.StartsWith(LeftOutPrefix, StringComparison.Ordinal)
                    && JobName.TryParseTask(name[LeftOutPrefix.Length..], out bool isMap, out int task)
                )
                {
                    all.Add((isMap, task));
                }
            }

            cursor = page.Next;
        } while (cursor is not null);
        return all;
    }

    /// <summary>The numbers of all jobs, newest first; null: they cannot be read now.</summary>
    public async ValueTask<IReadOnlyList<ulong>?> ListAsync()
    {
        SortedSet<ulong> numbers = [];
        string? cursor = null;
        do
        {
            if (!files.IsAvailable)
            {
                return null;
            }

            FilePage page = await files.Value.ListAsync(Directory, cursor);
            if (page.Status == FileStatus.NotFound)
            {
                break;
            }

            if (page.Status != FileStatus.Done)
            {
                return null;
            }

            foreach (FileEntry entry in page.Entries)
            {
                if (JobName.TryParse(FilePath.NameOf(entry.Path), out ulong number))
                {
                    numbers.Add(number);
                }
            }

            cursor = page.Next;
        } while (cursor is not null);
        return [.. numbers.Reverse()];
    }
}
