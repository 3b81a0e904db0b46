using CamCube.Services.Camdoop.Assemblies;
using CamCube.Services.Camdoop.Plans;
using CamCube.Services.Camdoop.Work;
using CamCube.Services.Files;

namespace CamCube.Services.Camdoop.Tasks;

/// <summary>The functions in C# of jobs on this server: fetched and loaded when they are first asked for, gone with the
/// job. Loop only.</summary>
/// <param name="server">The server.</param>
/// <param name="options">Settings.</param>
/// <param name="files">Has the assemblies.</param>
internal sealed class FunctionHost(IServer server, CamdoopOptions options, Dependency<IFiles> files)
{
    /// <summary>What is said of jobs with functions in C# where there may be none.</summary>
    public const string NotAllowed = "functions in C# are not allowed here (CamCube:Services:camdoop:Assemblies)";

    private readonly Dictionary<ulong, Loaded> _jobs = [];

    /// <summary>A mistake that is made on purpose.</summary>
    public CamdoopMistake Mistake { get; set; }

    /// <summary>The functions of a job for one attempt or vertex; null: they are not loaded, or it has none.</summary>
    /// <param name="job">The job.</param>
    /// <param name="isVertex">They are a vertex's.</param>
    public FunctionSet? Find(Job job, bool isVertex = false)
    {
        bool isStuck =
            Mistake == CamdoopMistake.FunctionsAreStuck || (isVertex && Mistake == CamdoopMistake.CombinersAreStuck);
        return _jobs.GetValueOrDefault(job.Number)?.Functions is { } functions
            ? new FunctionSet(functions, options.FunctionTime, job.Description.Text.SortFields.Count > 0, isStuck)
            : null;
    }

    /// <summary>Loads the functions of a job, if they are not there.</summary>
    /// <returns>Why they cannot be; null: <see cref="Find"/> has them.</returns>
    public async ValueTask<SinkEnd?> LoadAsync(Job job)
    {
        if (!options.Assemblies)
        {
            return Fatal(NotAllowed);
        }

        if (!_jobs.TryGetValue(job.Number, out Loaded? loaded))
        {
            loaded = new Loaded();
            _jobs.Add(job.Number, loaded);
            loaded.Task = LoadAsync(job, loaded).AsTask();
        }

        SinkEnd? end = await loaded.Task!;
        if (end is not null && _jobs.GetValueOrDefault(job.Number) == loaded)
        {
            Forget(job);
        }

        return end;
    }

    /// <summary>A job is over: nothing of it is needed any more.</summary>
    public void Forget(Job job)
    {
        if (_jobs.Remove(job.Number, out Loaded? loaded))
        {
            loaded.Unload();
        }
    }

    private async ValueTask<SinkEnd?> LoadAsync(Job job, Loaded loaded)
    {
        var images = new Dictionary<string, byte[]>(StringComparer.OrdinalIgnoreCase);
        IEnumerable<string> paths = job
            .Description.Files.Where(static f => f.Name.EndsWith(".dll", StringComparison.OrdinalIgnoreCase))
            .Select(static f => f.Path)
            .Append(job.Description.Assembly);
        byte[] image = [];
        foreach (string path in paths)
        {
            (image, SinkEnd? end) = await ReadAsync(path);
            if (end is not null)
            {
                return end;
            }

            images[System.IO.Path.GetFileNameWithoutExtension(path)] = image;
        }

        if (loaded.IsUnloaded)
        {
            return new SinkEnd("the job is over", IsInnocent: true);
        }

        loaded.Context = new JobContext($"{job.Name} {job.Description.Assembly}", images);
        string? wrong = await OffLoop.RunAsync(
            server,
            (loaded, image, job.Description),
            static s =>
            {
                s.loaded.Loading = FunctionLoader.Load(s.loaded.Context!, s.image, s.Description);
                return null;
            },
            image.Length,
            options.LoadTime,
            lateWords: $"the job's assembly {job.Description.Assembly} could not be loaded within "
                + $"{options.LoadTime.TotalSeconds:0.###} s (CamCube:Services:camdoop:LoadTime)"
        );
        if (wrong == OffLoop.Stopped)
        {
            return new SinkEnd(wrong, IsInnocent: true);
        }

        if (wrong is not null)
        {
            return Fatal(wrong);
        }

        loaded.Functions = loaded.IsUnloaded ? null : loaded.Loading;
        return loaded.Functions is null ? new SinkEnd("the job is over", IsInnocent: true) : null;
    }

    private async ValueTask<(byte[] Bytes, SinkEnd? End)> ReadAsync(string path)
    {
        if (!files.IsAvailable)
        {
            return ([], new SinkEnd("the file store does not run here", IsInnocent: true));
        }

        using IFileReader reader = await files.Value.OpenReadAsync(path);
        if (FileSink.EndOf(reader.Answer.Status) is { IsInnocent: true })
        {
            return ([], new SinkEnd($"the job's assembly {path} cannot be read now", IsInnocent: true));
        }

        if (reader.Answer is not { Status: FileStatus.Done, Entry: { IsDirectory: false } entry })
        {
            return ([], Fatal($"the job's assembly {path} is not there"));
        }

        if (entry.Length > options.MostAssembly)
        {
            return (
                [],
                Fatal(
                    $"the job's assembly {path} has {entry.Length:N0} bytes, and may have {options.MostAssembly:N0} "
                        + "(CamCube:Services:camdoop:MostAssembly)"
                )
            );
        }

        using var bytes = new MemoryStream((int)entry.Length);
        while (true)
        {
            FilePart part = await reader.ReadAsync();
            if (part.Status != FileStatus.Done)
            {
                return ([], new SinkEnd($"the job's assembly {path} cannot be read: {part.Status}", IsInnocent: true));
            }

            if (part.Bytes.IsEmpty)
            {
                return (bytes.ToArray(), null);
            }

            bytes.Write(part.Bytes.Span);
        }
    }

    private static SinkEnd Fatal(string words) => new(words, IsInnocent: false) { IsFatal = true };

    // What is loaded, or on its way.
    private sealed class Loaded
    {
        public Task<SinkEnd?>? Task { get; set; }

        public JobContext? Context { get; set; }

        public JobFunctions? Loading { get; set; }

        public JobFunctions? Functions { get; set; }

        public bool IsUnloaded { get; private set; }

        public void Unload()
        {
            IsUnloaded = true;
            Context?.Unload();
            (Context, Loading, Functions) = (null, null, null);
        }
    }
}
