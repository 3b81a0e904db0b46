using CamCube.Services.Camdoop.Lines;
using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Files;

namespace CamCube.Services.Camdoop.Inputs;

/// <summary>Looks up a job's input and cuts it into map tasks. Loop only.</summary>
/// <param name="files">The file store.</param>
/// <param name="server">Knows the cube, and where copies lie.</param>
internal sealed class InputPlanner(IFiles files, IServer server)
{
    private const int MostCopies = 4;
    private const string PackedSuffix = ".gz";

    private readonly List<Split> _splits = [];
    private readonly List<FileLayout> _files = [];

    /// <summary>Cuts the input.</summary>
    /// <param name="job">The job.</param>
    /// <returns>The plan; or words for people: it cannot be; or neither: the file store does not answer now.</returns>
    public async ValueTask<(PlanRecord? Plan, string? Words)> CutAsync(JobDescription job)
    {
        if (JobChecks.WrongOfServers(job, server.Shape) is { } wrong)
        {
            return (null, wrong);
        }

        foreach (string input in job.Inputs)
        {
            (FileStatus status, string? words) = await AddAsync(input, job);
            if (status is FileStatus.Unavailable or FileStatus.DataAway)
            {
                return (null, null);
            }

            if (status != FileStatus.Done)
            {
                return (null, words ?? $"Input path does not exist: {input}");
            }
        }

        if (job.Text.Input == JobInput.LinesByNumber)
        {
            (FileStatus status, string? words) = await CutByLinesAsync(job.Text);
            if (status != FileStatus.Done)
            {
                return (null, status is FileStatus.Unavailable or FileStatus.DataAway ? null : words);
            }
        }
        else
        {
            Cut(job);
        }

        return _splits.Count <= PlanRecord.MostSplits
            ? (new PlanRecord(job.Servers is null ? _splits : Among(Job.MembersOf(job, server.Shape))), null)
            : (
                null,
                $"the input would be {_splits.Count:N0} map tasks, more than {PlanRecord.MostSplits:N0}: larger splits "
                    + "are fewer"
            );
    }

    private async ValueTask<(FileStatus Status, string? Words)> AddAsync(string input, JobDescription job)
    {
        if (!FilePattern.IsPattern(input))
        {
            return await AddOneAsync(input, job);
        }

        if (!FilePattern.TryParse(input, out FilePattern pattern, out string? wrong))
        {
            return (FileStatus.BadPath, wrong);
        }

        int before = _files.Count;
        List<string> found = [];
        FileStatus status = await MatchAsync(pattern, FilePath.Root, 0, found);
        if (status != FileStatus.Done)
        {
            return (status, null);
        }

        foreach (string path in found.Order(StringComparer.Ordinal))
        {
            (status, string? words) = await AddOneAsync(path, job);
            if (status != FileStatus.Done)
            {
                return (status, words);
            }
        }

        return found.Count > 0 || before < _files.Count
            ? (FileStatus.Done, null)
            : (FileStatus.NotFound, $"Input Pattern {input} matches 0 files");
    }

    private async ValueTask<FileStatus> MatchAsync(FilePattern pattern, string directory, int depth, List<string> found)
    {
        (FileStatus status, List<FileEntry> entries) = await ListAsync(directory);
        if (status != FileStatus.Done)
        {
            return status;
        }

        foreach (FileEntry entry in entries)
        {
            string name = FilePath.NameOf(entry.Path);
            if (!pattern.Fits(depth, name) || (IsHidden(name) && pattern.LiteralAt(depth) is null))
            {
                continue;
            }

            if (depth == pattern.Depth - 1)
            {
                found.Add(entry.Path);
            }
            else if (entry.IsDirectory)
            {
                FileStatus below = await MatchAsync(pattern, entry.Path, depth + 1, found);
                if (below != FileStatus.Done)
                {
                    return below;
                }
            }
        }

        return FileStatus.Done;
    }

    private async ValueTask<(FileStatus Status, string? Words)> AddOneAsync(string path, JobDescription job)
    {
        FileLayout layout = await files.DescribeAsync(path);
        if (layout.Answer.Status != FileStatus.Done)
        {
            return (layout.Answer.Status, layout.Answer.Words);
        }

        if (layout.Answer.Entry is not { IsDirectory: true })
        {
            _files.Add(layout);
            return (FileStatus.Done, null);
        }

        (FileStatus status, List<FileEntry> entries) = await ListAsync(path);
        foreach (FileEntry entry in entries)
        {
            if (IsHidden(FilePath.NameOf(entry.Path)))
            {
                continue;
            }

            if (entry.IsDirectory)
            {
                return (FileStatus.IsDirectory, $"Not a file: {entry.Path} (directories in an input directory)");
            }

            layout = await files.DescribeAsync(entry.Path);
            if (layout.Answer.Status != FileStatus.Done)
            {
                return (layout.Answer.Status, $"Input path does not exist: {entry.Path}");
            }

            _files.Add(layout);
        }

        return (status, null);
    }

    private async ValueTask<(FileStatus Status, List<FileEntry> Entries)> ListAsync(string directory)
    {
        var entries = new Dictionary<string, FileEntry>(StringComparer.Ordinal);
        string? cursor = null;
        do
        {
            FilePage page = await files.ListAsync(directory, cursor);
            if (page.Status != FileStatus.Done)
            {
                return (page.Status, []);
            }

            foreach (FileEntry entry in page.Entries)
            {
                entries[entry.Path] = entry;
            }

            cursor = page.Next;
        } while (cursor is not null);
        return (FileStatus.Done, [.. entries.Values.OrderBy(static e => e.Path, StringComparer.Ordinal)]);
    }

    // With so many map tasks as are asked for, or more: a chunk is in no less than one.
    private void Cut(JobDescription job)
    {
        long all = _files.Sum(static file => file.Answer.Entry!.Length);
        long wanted = job.Maps > 0 ? Math.Max(1, all / job.Maps) : long.MaxValue;
        foreach (FileLayout file in _files)
        {
            Cut(file, job, wanted);
        }
    }

    private void Cut(FileLayout layout, JobDescription job, long wanted)
    {
        string path = layout.Answer.Entry!.Path;
        bool isPacked = IsPacked(path);
        if (isPacked || RecordEnd.Of(job.Text).OverlapsItself)
        {
            // What is in the middle of it follows from what is before.
            if (layout.Chunks is [{ } first, ..])
            {
                _splits.Add(SplitOf(path, 0, layout.Answer.Entry.Length, first) with { IsPacked = isPacked });
            }

            return;
        }

        foreach (FileChunk chunk in layout.Chunks)
        {
            long most = job.SplitBytes > 0 ? job.SplitBytes : chunk.Length;
            long size = Math.Max(Math.Max(1, job.LeastSplitBytes), Math.Min(wanted, most));
            for (long at = 0; at < chunk.Length && _splits.Count <= PlanRecord.MostSplits; at += size)
            {
                // What is left over is not worth a task of its own, as Hadoop has it.
                long rest = chunk.Length - at;
                long length = rest - size <= size / 10 ? rest : size;
                _splits.Add(SplitOf(path, chunk.Offset + at, length, chunk));
                if (length == rest)
                {
                    break;
                }
            }
        }
    }

    // Where they end is seen only by reading all of it.
    private async ValueTask<(FileStatus Status, string? Words)> CutByLinesAsync(JobText text)
    {
        foreach (FileLayout layout in _files)
        {
            string path = layout.Answer.Entry!.Path;
            if (IsPacked(path))
            {
                return (FileStatus.BadPath, $"{path} is packed: it cannot be cut by numbers of lines");
            }

            using IFileReader reader = await files.OpenReadAsync(path);
            if (reader.Answer.Status != FileStatus.Done)
            {
                return (reader.Answer.Status, $"Input path does not exist: {path}");
            }

            var cutter = new NumberCutter(RecordEnd.Of(text), text.LinesPerMap);
            while (_splits.Count <= PlanRecord.MostSplits)
            {
                FilePart part = await reader.ReadAsync();
                if (part.Status != FileStatus.Done)
                {
                    return (part.Status, $"Input path does not exist: {path}");
                }

                if (part.Bytes.IsEmpty)
                {
                    cutter.Complete();
                }
                else
                {
                    cutter.Add(part.Bytes.Span);
                }

                foreach ((long offset, long length) in cutter.Take())
                {
                    FileChunk chunk = layout.Chunks.Last(chunk => chunk.Offset <= offset);
                    _splits.Add(SplitOf(path, offset, length, chunk) with { IsExact = true });
                }

                if (part.Bytes.IsEmpty)
                {
                    break;
                }
            }
        }

        return (FileStatus.Done, null);
    }

    // What lies elsewhere goes to a server that has a copy of it, or else to the one that has least to read so far.
    private Split[] Among(int[] members)
    {
        var least = new PriorityQueue<int, (long Bytes, int Rank)>();
        Dictionary<int, long> bytes = members.ToDictionary(static rank => rank, static _ => 0L);
        Split[] all = [.. _splits.Select(split => split with { Home = CopyAmong(bytes, split) })];
        foreach (Split split in all.Where(static split => split.Home >= 0))
        {
            bytes[split.Home] += split.Length;
        }

        least.EnqueueRange(members.Select(rank => (rank, (bytes[rank], rank))));
        for (int i = 0; i < all.Length; i++)
        {
            if (all[i].Home < 0)
            {
                least.TryDequeue(out int rank, out (long Bytes, int Rank) has);
                all[i] = all[i] with { Home = rank };
                least.Enqueue(rank, (has.Bytes + all[i].Length, rank));
            }
        }

        return all;
    }

    // Less than 0: none of them has one.
    private int CopyAmong(Dictionary<int, long> members, Split split)
    {
        if (members.ContainsKey(split.Home))
        {
            return split.Home;
        }

        Span<Coordinate> copies = stackalloc Coordinate[MostCopies];
        int count = Key.TryParse(split.Chunk, out Key key) ? server.Topology.GetServersForKey(key, copies) : 0;
        for (int i = 0; i < count; i++)
        {
            if (members.ContainsKey(server.Shape.RankOf(copies[i])))
            {
                return server.Shape.RankOf(copies[i]);
            }
        }

        return -1;
    }

    private Split SplitOf(string path, long offset, long length, FileChunk chunk) =>
        new(path, offset, length, server.Shape.RankOf(chunk.Key.HomeIn(server.Shape)), chunk.Key.ToString());

    private static bool IsPacked(string path) => path.EndsWith(PackedSuffix, StringComparison.Ordinal);

    private static bool IsHidden(string name) => name.StartsWith('_') || name.StartsWith('.');
}
