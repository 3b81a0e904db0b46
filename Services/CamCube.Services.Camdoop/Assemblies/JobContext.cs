using System.Reflection;
using System.Runtime.Loader;

namespace CamCube.Services.Camdoop.Assemblies;

/// <summary>Where a job's assemblies live on one server, until it is over: contracts come from the service, the rest of
/// the job's from its files, and what is neither from the host. Any thread.</summary>
/// <param name="name">What people see: the job and its assembly.</param>
/// <param name="images">The job's assemblies by their simple names.</param>
internal sealed class JobContext(string name, IReadOnlyDictionary<string, byte[]> images)
    : AssemblyLoadContext(name, isCollectible: true)
{
    // Types of these are the same for the service and the job.
    private static readonly Assembly[] Shared = [typeof(IMapper).Assembly, typeof(IServer).Assembly];

    /// <summary>The assembly that the interfaces are in.</summary>
    public static AssemblyName Contracts { get; } = typeof(IMapper).Assembly.GetName();

    /// <inheritdoc/>
    protected override Assembly? Load(AssemblyName assemblyName)
    {
        Assembly? shared = Array.Find(Shared, a => a.GetName().Name == assemblyName.Name);
        return shared is not null ? shared
            : assemblyName.Name is { } wanted && images.TryGetValue(wanted, out byte[]? image)
                ? LoadFromStream(new MemoryStream(image, writable: false))
            : null;
    }
}
