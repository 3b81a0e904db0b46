using CamCube.Histories;
using CamCube.Services.Files;
using CamCube.Simulator.Swarm;
using static CamCube.Services.Files.FileStatus;

namespace CamCube.Swarm.Files;

/// <summary>One client of the file store: one operation at a time, each through some server. When that is stopped the
/// client is gone, and another comes.</summary>
internal sealed class FilesClient
{
    private const int MostClients = 1_000;
    private const int MostPause = 1_000;
    private readonly SwarmCube _cube;
    private readonly FilesSettings _settings;
    private readonly FilesHistory _history;
    private readonly PromiseChecker _ends;
    private readonly Random _random;
    private readonly string[] _paths;
    private readonly string[] _directories;
    private Running? _running;
    private FilesVerb _verb;
    private string _path = "";
    private ulong _number;
    private int _at;
    private int _run;
    private int _name;
    private long _began;

    public FilesClient(SwarmCube cube, FilesSettings settings, FilesHistory history, PromiseChecker ends, int name)
    {
        (_cube, _settings, _history, _ends, _name) = (cube, settings, history, ends, name);
        (_paths, _directories) = ([.. settings.Paths], [.. settings.Directories]);
        _random = SwarmRandom.Of(cube.Options.Seed, $"files client {name}");
    }

    /// <summary>Operations that ended, by how.</summary>
    public SwarmTally Tally { get; } = new();

    /// <summary>Whether an operation is going on.</summary>
    public bool IsRunning => _running is not null;

    /// <summary>The file of the last operation.</summary>
    public string Path => _path;

    /// <summary>When the last operation began.</summary>
    public long BeganNanos => _began;

    /// <summary>How the last operation ended.</summary>
    public FileStatus Status { get; private set; }

    /// <summary>For messages: what it did last.</summary>
    public string Doing => $"{_verb} of {_path} through {_cube.Cube.Shape.At(_at)}, begun at {_began / 1e6:F3} ms";

    /// <summary>Looks whether the operation has ended. True: none is going on.</summary>
    public bool Look()
    {
        if (_running is null)
        {
            return true;
        }

        bool isGone = _cube.StopsOf(_at) != _run || StoreAt(_cube, _at) != _running.Store;
        long now = _cube.Cube.NowNanos;
        if (!isGone && _running.Answer is null)
        {
            _ends.Check(
                now - _began <= _settings.MostNanos || _cube.Cube.IsPaused(_at),
                now,
                () => $"{Doing} has no end"
            );
            return false;
        }

        Finish(isGone ? null : _running.Answer, now);
        return true;
    }

    /// <summary>Begins something, or waits for a while.</summary>
    public void Draw()
    {
        if (_random.Next(_settings.PauseMillis) != 0)
        {
            return;
        }

        FilesVerb verb =
            _random.Next(10) < _settings.DirectoriesOfTen
                ? _random.Next(5) switch
                {
                    0 => FilesVerb.MakeDirectory,
                    1 => FilesVerb.List,
                    _ => FilesVerb.RemoveDirectory,
                }
                : _random.Next(12) switch
                {
                    < 5 => FilesVerb.Put,
                    5 => FilesVerb.PutHalf,
                    < 8 => FilesVerb.Get,
                    _ => FilesVerb.Delete,
                };
        bool isFile = verb <= FilesVerb.Delete;
        string[] all = isFile ? _paths : _directories;
        Begin(_random.Next(_cube.Cube.Shape.Count), verb, all[_random.Next(all.Length)]);
    }

    /// <summary>Begins an operation, if somebody can at this server.</summary>
    public bool Begin(int rank, FilesVerb verb, string path)
    {
        int length = _settings.DrawLength(_random);
        if (!_cube.Truth.Runs(rank) || _cube.Cube.IsPaused(rank) || StoreAt(_cube, rank) is not { } store)
        {
            return false;
        }

        (_at, _run, _verb, _path, _began) = (rank, _cube.StopsOf(rank), verb, path, _cube.Cube.NowNanos);
        var running = new Running { Store = store };
        _running = running;
        IServer server = _cube.Cube.ServerOf<FilesService>(rank);
        long began = server.NowNanos;
        server.Loop.Run(async () =>
        {
            FileAnswer answer = await AskAsync(server, store, running, length);
            (running.Answer, running.TookNanos) = (
                answer,
                ClientClock.MostNanos(_cube.Options, server.NowNanos - began)
            );
        });
        return true;
    }

    /// <summary>The service of a server; null: it is stopped, or has faulted and is started again.</summary>
    public static FilesService? StoreAt(SwarmCube cube, int rank)
    {
        try
        {
            return cube.Cube.IsRunning(rank) ? cube.Cube.Service<FilesService>(rank) : null;
        }
        catch (ServiceUnavailableException)
        {
            return null;
        }
    }

    private async ValueTask<FileAnswer> AskAsync(IServer server, FilesService store, Running into, int length) =>
        _verb switch
        {
            FilesVerb.Get => await ReadAsync(store, into.Bytes),
            FilesVerb.Delete or FilesVerb.RemoveDirectory => await store.DeleteAsync(_path),
            FilesVerb.MakeDirectory => await store.MakeDirectoryAsync(_path),
            FilesVerb.List => new FileAnswer((await store.ListAsync(_path)).Status),
            _ => await WriteAsync(server, store, length),
        };

    private async ValueTask<FileAnswer> WriteAsync(IServer server, FilesService store, int length)
    {
        byte[] bytes = _history.Begin(_path, length, out _number);
        int piece = _random.Next(1, bytes.Length + 1);
        int pause = _random.Next(10) == 0 ? _random.Next(MostPause) : 0;
        using IFileWriter writer = store.OpenWrite(_path);
        for (int at = 0; at < bytes.Length; at += piece)
        {
            FileStatus status = await writer.WriteAsync(bytes.AsMemory(at, Math.Min(piece, bytes.Length - at)));
            if (status != Done || _verb == FilesVerb.PutHalf)
            {
                return new FileAnswer(status);
            }

            // A client that is slower than the sweep.
            await server.DelayAsync(TimeSpan.FromMilliseconds(pause));
            pause /= 2;
        }

        return await writer.CommitAsync();
    }

    private async ValueTask<FileAnswer> ReadAsync(FilesService store, MemoryStream into)
    {
        using IFileReader reader = await store.OpenReadAsync(_path);
        while (reader.Answer.Status == Done)
        {
            FilePart part = await reader.ReadAsync();
            if (part.Status != Done || part.Bytes.IsEmpty)
            {
                return reader.Answer with { Status = part.Status };
            }

            into.Write(part.Bytes.Span);
        }

        return reader.Answer;
    }

    private void Finish(FileAnswer? told, long now)
    {
        Running running = _running!;
        _running = null;
        bool isChange = _verb is FilesVerb.Put or FilesVerb.Delete;
        FileAnswer answer = told ?? new FileAnswer(isChange ? Unknown : Unavailable);
        Status = answer.Status;
        Tally.Add($"files {_verb}: {(told is null ? "client's server stopped" : Status)}");
        _ends.Check(IsPossible(Status), now, () => $"{Doing} ended as {answer}");
        string? value =
            Status == Done && _verb == FilesVerb.Get ? _history.Identify(_path, running.Bytes.ToArray(), now) : null;

        // A file that was deleted while it was read has been there when that began: nothing more is known.
        bool isJudged = isChange || (_verb == FilesVerb.Get && (Status == Done || answer.Entry is null));
        if (isJudged && (isChange || Status is Done or NotFound))
        {
            _history.Add(ToHistory(answer, value, Math.Min(now, _began + running.TookNanos)));
        }

        if (told is null)
        {
            (_name, Status) = (_name + MostClients, Unknown);
        }
    }

    private bool IsPossible(FileStatus status) =>
        status switch
        {
            Done or Unavailable or Busy => true,
            NotFound => _verb is not (FilesVerb.Put or FilesVerb.PutHalf or FilesVerb.MakeDirectory),
            Exists or TooSlow => _verb == FilesVerb.Put,
            NotEmpty => _verb == FilesVerb.RemoveDirectory,
            DataAway => _verb != FilesVerb.PutHalf,
            Unknown => _verb is not (FilesVerb.Get or FilesVerb.List or FilesVerb.PutHalf),
            _ => false,
        };

    private HistoryOperation ToHistory(in FileAnswer answer, string? value, long end) =>
        new()
        {
            Client = _name,
            Key = _path,
            Begin = _began,
            End = end,
            Version = _verb == FilesVerb.Delete ? 0 : answer.Entry?.Version ?? 0,
            Kind =
                _verb == FilesVerb.Put ? HistoryKind.Put
                : _verb == FilesVerb.Delete ? HistoryKind.Delete
                : HistoryKind.Get,
            Value = _verb == FilesVerb.Put ? FilesHistory.NameOf(_number) : value,
            IfVersion = _verb == FilesVerb.Put ? 0 : null,
            Answer = answer.Status switch
            {
                Done => HistoryAnswer.Done,
                NotFound => HistoryAnswer.NotFound,
                Exists => HistoryAnswer.Conflict,
                Unavailable or Busy or DataAway => HistoryAnswer.Unavailable,
                _ => HistoryAnswer.Unknown,
            },
        };

    private sealed class Running
    {
        public required FilesService Store { get; init; }

        public FileAnswer? Answer { get; set; }

        public long TookNanos { get; set; }

        public MemoryStream Bytes { get; } = new();
    }
}
