using System.Text;
using CamCube.Services.Files;
using CamCube.Services.KeyValue;
using CamCube.Simulator.Checkers;
using CamCube.Simulator.Swarm;
using static CamCube.Services.Files.FileStatus;

namespace CamCube.Swarm.Files;

/// <summary>
/// The end of a run, when nothing is done to the cube any more and every server is back: every file is read, through
/// some server, which is part of the history; then all names that the key-value store has can be reached from the root
/// directory, and its chunks are those of the files, no more and no fewer.
/// </summary>
internal sealed class FilesEnding(FilesSettings settings, List<FilesClient> clients)
{
    private readonly PromiseChecker _progress = new("files-progress");
    private readonly PromiseChecker _tree = new("files-tree");
    private readonly Queue<string> _reads = new();
    private SwarmCube? _cube;
    private Random? _random;
    private Task<string>? _looking;
    private long _beganNanos = -1;
    private long _readNanos = -1;

    /// <summary>What is checked.</summary>
    public IReadOnlyList<Checker> Checkers => [_progress, _tree];

    /// <summary>Whether nothing goes on any more.</summary>
    public bool IsOver { get; private set; }

    public void Begin(SwarmCube cube) => (_cube, _random) = (cube, SwarmRandom.Of(cube.Options.Seed, "files ending"));

    /// <summary>Once per virtual millisecond, from when nothing is done to the cube any more.</summary>
    public void Step()
    {
        long now = _cube!.Cube.NowNanos;
        if (_beganNanos < 0)
        {
            _beganNanos = now;
            for (int rank = 0; rank < _cube.Truth.Shape.Count; rank++)
            {
                _cube.Revive(rank);
            }

            foreach (string path in settings.Paths)
            {
                _reads.Enqueue(path);
            }
        }
        else if (_readNanos < 0)
        {
            Read(now);
        }
        else if (!IsOver)
        {
            LookAtAll(now);
        }
    }

    public void AddTo(SwarmTally tally) =>
        tally.Add("files all read again, ms", (_readNanos - _beganNanos) / 1_000_000);

    // Each is asked for until it answers.
    private void Read(long now)
    {
        bool isLate = now - _beganNanos > settings.RecoveryNanos,
            isRunning = false;
        foreach (FilesClient client in clients)
        {
            bool wasRunning = client.IsRunning;
            if (!client.Look())
            {
                isRunning = true;
                continue;
            }

            if (wasRunning && client.Status is not (Done or NotFound or Exists or NotEmpty))
            {
                // One that began while there were faults may wait for what they took until its own time is over.
                _progress.Check(
                    !isLate || client.BeganNanos < _beganNanos,
                    now,
                    () => $"{client.Doing} ended as {client.Status}, long after the last fault."
                );
                if (!isLate && settings.Paths.Contains(client.Path))
                {
                    _reads.Enqueue(client.Path);
                }
            }

            if (!isLate && _reads.TryDequeue(out string? path))
            {
                isRunning = true;
                if (!client.Begin(_random!.Next(_cube!.Truth.Shape.Count), FilesVerb.Get, path))
                {
                    _reads.Enqueue(path);
                }
            }
        }

        if (!isRunning && (isLate || _reads.Count == 0))
        {
            _progress.Check(!isLate || _reads.Count == 0, now, () => $"{_reads.Count} files are not available.");
            _readNanos = now;
        }
    }

    // Again and again, until the sweep has found all that was left.
    private void LookAtAll(long now)
    {
        if (_looking is { IsCompleted: false })
        {
            return;
        }

        string wrong = _looking?.Result ?? "nobody has looked";
        bool isLate = now - _readNanos > settings.RecoveryNanos;
        if (wrong.Length == 0 || isLate)
        {
            _tree.Check(wrong.Length == 0, now, () => $"Long after the last request: {wrong}.");
            IsOver = true;
            return;
        }

        int rank = _random!.Next(_cube!.Truth.Shape.Count);
        if (FilesClient.StoreAt(_cube, rank) is not { } files)
        {
            return;
        }

        KeyValueService store = _cube.Cube.Service<KeyValueService>(rank);
        var ended = new TaskCompletionSource<string>();
        _cube.Cube.ServerOf<FilesService>(rank).Loop.Run(async () => ended.SetResult(await WrongOfAsync(files, store)));
        _looking = ended.Task;
    }

    private static async ValueTask<string> WrongOfAsync(FilesService files, KeyValueService store)
    {
        HashSet<string> seen = [];
        var directories = new Queue<string>([FilePath.Root]);
        int chunks = 0;
        while (directories.TryDequeue(out string? directory))
        {
            string? cursor = null;
            do
            {
                FilePage page = await files.ListAsync(directory, cursor);
                if (page.Status != Done)
                {
                    return $"a list of {directory} ended as {page.Status}";
                }

                foreach (FileEntry entry in page.Entries.Where(entry => seen.Add(entry.Path)))
                {
                    chunks += entry.Chunks;
                    if (entry.IsDirectory)
                    {
                        directories.Enqueue(entry.Path);
                    }
                }

                cursor = page.Next;
            } while (cursor is not null);
        }

        IReadOnlyCollection<string>? names = await KeysAsync(store, "file{"),
            kept = await KeysAsync(store, "chunk{");
        return names is null || kept is null ? "the store's keys cannot be listed"
            : names.Count != seen.Count
                ? $"{names.Count} names are in the store, and {seen.Count} can be reached: "
                    + $"{string.Join(' ', names)} and {string.Join(' ', seen)}"
            : kept.Count != chunks ? $"{kept.Count} chunks are in the store, and files have {chunks}"
            : "";
    }

    private static async ValueTask<IReadOnlyCollection<string>?> KeysAsync(KeyValueService store, string prefix)
    {
        HashSet<string> keys = [];
        string? cursor = null;
        do
        {
            KeyValuePage page = await store.ListAsync(KeyValueKey.Of(prefix), cursor, KeyValuePage.MostKeys);
            if (page.Status != KeyValueStatus.Done)
            {
                return null;
            }

            keys.UnionWith(page.Keys.Select(static key => Encoding.UTF8.GetString(key.Key.Span)));
            cursor = page.Next;
        } while (cursor is not null);
        return keys;
    }
}
