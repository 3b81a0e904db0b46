using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Work;
using CamCube.Services.Files;
using CamCube.Workers;

namespace CamCube.Services.Camdoop.Tasks;

/// <summary>Starts the programs of jobs on this server, each in a working folder of its own with the job's files in it.
/// Loop only.</summary>
internal sealed class ProgramHost
{
    private const UnixFileMode Executable =
        UnixFileMode.UserRead
        | UnixFileMode.UserWrite
        | UnixFileMode.UserExecute
        | UnixFileMode.GroupRead
        | UnixFileMode.GroupExecute
        | UnixFileMode.OtherRead
        | UnixFileMode.OtherExecute;

    // No file of a job may have this name.
    private const string Packed = "tmp";

    private readonly IServer _server;
    private readonly CamdoopOptions _options;
    private readonly Dictionary<ProgramUse, IPrograms> _programs;
    private readonly Dependency<IFiles> _files;
    private readonly string _root;
    private readonly Dictionary<ulong, Task<SinkEnd?>> _fetched = [];

    /// <summary>Programs of one server.</summary>
    /// <param name="server">The server.</param>
    /// <param name="options">Settings.</param>
    /// <param name="open">Opens the programs of a use; the receiver's.</param>
    /// <param name="files">Has the jobs' files.</param>
    /// <param name="isSimulated">There are no folders.</param>
    public ProgramHost(
        IServer server,
        CamdoopOptions options,
        Func<ProgramUse, IPrograms> open,
        Dependency<IFiles> files,
        bool isSimulated
    )
    {
        (_server, _options, _files, IsSimulated) = (server, options, files, isSimulated);
        _programs = Enum.GetValues<ProgramUse>().ToDictionary(static use => use, open);
        Coordinate at = server.Coordinate;
        string folder = options.WorkFolder.Length > 0 ? options.WorkFolder : Path.GetTempPath();
        _root = Path.Combine(folder, "camcube-camdoop", $"{at.X}.{at.Y}.{at.Z}-{server.Incarnation:x}");
    }

    /// <summary>Programs are functions, and there are no folders.</summary>
    public bool IsSimulated { get; }

    /// <summary>The server.</summary>
    public IServer Server => _server;

    /// <summary>Starts a program of an attempt.</summary>
    /// <param name="use">What it is for.</param>
    /// <param name="job">The job.</param>
    /// <param name="function">The program.</param>
    /// <param name="attempt">The attempt's name: the name of its folder.</param>
    /// <param name="environment">What it is told of its task.</param>
    /// <param name="counters">What it counts by lines of its standard error.</param>
    /// <param name="cancel">Gives it up while it waits.</param>
    public async ValueTask<(ProgramRun? Run, SinkEnd? End)> StartAsync(
        ProgramUse use,
        Job job,
        JobFunction function,
        string attempt,
        IReadOnlyList<string> environment,
        TaskCounters counters,
        CancellationToken cancel
    )
    {
        string jobFolder = Path.Combine(_root, job.Name);
        string folder = Path.Combine(jobFolder, attempt);
        if (!IsSimulated)
        {
            if (!_fetched.TryGetValue(job.Number, out Task<SinkEnd?>? fetched))
            {
                fetched = FetchAsync(job, Path.Combine(jobFolder, "files")).AsTask();
                _fetched[job.Number] = fetched;
            }

            if (await fetched is { } wrong)
            {
                _fetched.Remove(job.Number);
                return (null, wrong);
            }

            string? words = await OffLoop.RunAsync(
                _server,
                (folder, Path.Combine(jobFolder, "files"), job),
                static s => MakeFolder(s.folder, s.Item2, s.job),
                bytes: 0
            );
            if (words is not null)
            {
                return (null, new SinkEnd($"its working folder cannot be made: {words}", IsInnocent: true));
            }
        }

        ProgramStarted started = await _programs[use]
            .StartAsync(
                new ProgramStart(
                    function.Command,
                    [
                        $"PATH={_options.ProgramPath}",
                        $"HOME={folder}",
                        $"PWD={folder}",
                        $"TMPDIR={Path.Combine(folder, "tmp")}",
                        $"TMP={Path.Combine(folder, "tmp")}",
                        .. environment,
                        .. job.Description.Environment,
                    ]
                )
                {
                    Folder = IsSimulated ? null : folder,
                    User = _options.ProgramUser.Length > 0 ? _options.ProgramUser : null,
                    Limits = new ProgramLimits
                    {
                        MemoryBytes = _options.ProgramMemory,
                        Descriptors = _options.ProgramDescriptors,
                    },
                    OnErrorLine = line => ReporterLines.Read(line.Span, counters),
                },
                cancel
            );
        return started switch
        {
            { Program: { } program } => (new ProgramRun(this, program, job.Description, folder), null),
            { Status: ProgramStatus.Refused } => (null, new SinkEnd(started.Text, IsInnocent: false)),
            _ => (null, new SinkEnd($"its program cannot be started now: {started.Text}", IsInnocent: true)),
        };
    }

    /// <summary>The folder of an attempt goes.</summary>
    public void Leave(string folder)
    {
        if (!IsSimulated)
        {
            _server.Loop.Run(async () => _ = await OffLoop.RunAsync(_server, folder, static f => Remove(f), bytes: 0));
        }
    }

    /// <summary>A job is over: its folder goes.</summary>
    public void Forget(Job job)
    {
        if (_fetched.Remove(job.Number))
        {
            Leave(Path.Combine(_root, job.Name));
        }
    }

    /// <summary>The service stops: all goes. Its programs are killed.</summary>
    public void Stop()
    {
        foreach (IPrograms programs in _programs.Values)
        {
            programs.Dispose();
        }

        if (!IsSimulated)
        {
            Remove(_root);
        }
    }

    private async ValueTask<SinkEnd?> FetchAsync(Job job, string folder)
    {
        foreach (JobFile file in job.Description.Files)
        {
            if (!_files.IsAvailable)
            {
                return new SinkEnd("the file store does not run here", IsInnocent: true);
            }

            using IFileReader reader = await _files.Value.OpenReadAsync(file.Path);
            if (reader.Answer.Status != FileStatus.Done || reader.Answer.Entry is { IsDirectory: true })
            {
                bool isGone = FileSink.EndOf(reader.Answer.Status) is not { IsInnocent: true };
                return new SinkEnd(
                    isGone
                        ? $"the job's file {file.Path} is not there"
                        : $"the job's file {file.Path} cannot be read now",
                    IsInnocent: !isGone
                );
            }

            string path = Path.Combine(file.IsArchive ? Path.Combine(folder, Packed) : folder, file.Name);
            bool isFirst = true;
            while (true)
            {
                FilePart part = await reader.ReadAsync();
                if (part.Status != FileStatus.Done)
                {
                    return new SinkEnd($"the job's file {file.Path} cannot be read: {part.Status}", IsInnocent: true);
                }

                string? wrong = await OffLoop.RunAsync(
                    _server,
                    (path, part.Bytes, isFirst),
                    static s => Append(s.path, s.Bytes, s.isFirst),
                    part.Bytes.Length
                );
                if (wrong is not null)
                {
                    return new SinkEnd($"the job's file {file.Name} cannot be written: {wrong}", IsInnocent: true);
                }

                if (part.Bytes.IsEmpty)
                {
                    break;
                }

                isFirst = false;
            }
        }

        return await UnpackAsync(job, folder);
    }

    private async ValueTask<SinkEnd?> UnpackAsync(Job job, string folder)
    {
        SinkEnd? end = null;
        if (job.Description.Files.Any(static file => file.IsArchive))
        {
            string? disk = await OffLoop.RunAsync(
                _server,
                0,
                _ =>
                {
                    end = Unpack(job, folder);
                    return null;
                },
                bytes: 0
            );
            end ??= disk is null ? null : new SinkEnd($"the job's archives cannot be unpacked: {disk}", true);
        }

        return end;
    }

    private SinkEnd? Unpack(Job job, string folder)
    {
        long left = _options.MostArchive;
        int leftFiles = _options.MostArchiveFiles;
        foreach (JobFile file in job.Description.Files.Where(static file => file.IsArchive))
        {
            var archive = new Archive(Path.Combine(folder, file.Name), left, leftFiles);
            string packed = Path.Combine(folder, Packed, file.Name);
            if (archive.Unpack(packed) is { } wrong)
            {
                // It would be the same anywhere.
                return new SinkEnd($"the job's archive {file.Path} {wrong}", IsInnocent: false) { IsFatal = true };
            }

            (left, leftFiles) = (left - archive.Bytes, leftFiles - archive.Files);
            File.Delete(packed);
        }

        return null;
    }

    private static string? Append(string path, ReadOnlyMemory<byte> bytes, bool isFirst)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        using var stream = new FileStream(path, isFirst ? FileMode.Create : FileMode.Append);
        stream.Write(bytes.Span);
        if (isFirst && !OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(path, Executable);
        }

        return null;
    }

    private static string? MakeFolder(string folder, string files, Job job)
    {
        Remove(folder);
        Directory.CreateDirectory(Path.Combine(folder, "tmp"));
        foreach (JobFile file in job.Description.Files)
        {
            File.CreateSymbolicLink(Path.Combine(folder, file.Name), Path.Combine(files, file.Name));
        }

        return null;
    }

    private static string? Remove(string folder)
    {
        try
        {
            if (Directory.Exists(folder))
            {
                Directory.Delete(folder, recursive: true);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // A program that was killed may still be writing: what is left is temporary.
        }

        return null;
    }
}
