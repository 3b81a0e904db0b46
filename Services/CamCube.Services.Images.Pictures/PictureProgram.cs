using System.Runtime.InteropServices;
using CamCube.Services.Images.Pictures.Wire;
using CamCube.Workers;

namespace CamCube.Services.Images.Pictures;

/// <summary>The program of picture workers: where it is, and how it is started.</summary>
public static class PictureProgram
{
    private const string Name = "CamCube.Services.Images.Worker";

    // Two and a half megapixels: what comes of a camera, or of whoever means harm, never has all workers.
    private static readonly TimeSpan LongFrom = TimeSpan.FromMilliseconds(50);

    /// <summary>The kind for the pool. The program is looked for in the folder <c>worker</c> beside this
    /// assembly.</summary>
    /// <param name="options">How many workers, and what one may use.</param>
    /// <param name="log">Gets what workers and the pool say; any thread.</param>
    public static WorkerKind Kind(WorkerOptions options, Action<string>? log) =>
        new("images", Path.Combine(Folder, "worker", Name), new PictureProtocol())
        {
            Options = options with { LongFrom = LongFrom },
            Environment = Environment(options.MemoryLimit),
            Log = log,
        };

    // An assembly that was not compiled ahead is loaded from memory, and then it is where the build puts it.
    private static string Folder =>
        typeof(PictureProgram).Assembly.Location is { Length: > 0 } path
            ? Path.GetDirectoryName(path)!
            : Path.Combine(AppContext.BaseDirectory, "services", "images");

    /// <summary>All that a worker is told. .NET is looked for where this process has it.</summary>
    /// <param name="memory">Bytes that the worker may use; .NET's own heap gets a quarter of them at most.</param>
    private static string[] Environment(long memory)
    {
        DirectoryInfo runtime = new(RuntimeEnvironment.GetRuntimeDirectory());
        return
        [
            $"DOTNET_ROOT={runtime.Parent?.Parent?.Parent?.FullName}",
            "DOTNET_gcServer=0",
            "DOTNET_gcConcurrent=0",
            $"DOTNET_GCHeapHardLimit=0x{memory / 4:X}",
            "DOTNET_EnableWriteXorExecute=0",
            "DOTNET_EnableDiagnostics=0",
            "DOTNET_TieredPGO=0",
            "MALLOC_ARENA_MAX=2",
            "VIPS_BLOCK_UNTRUSTED=1",
            "VIPS_CONCURRENCY=1",
            $"CAMCUBE_WORKER_MEMORY={memory}",
        ];
    }
}
