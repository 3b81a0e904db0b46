using System.Reflection;

namespace CamCube.Hosting.Loading;

/// <summary>Which assemblies a plug-in gets from the host, even if its folder has one of the same name: a second copy
/// would be a second set of types.</summary>
internal static class SharedAssemblies
{
    private const string ContractSuffix = ".Contracts";

    private static readonly string[] Names =
    [
        "CamCube.Abstractions",
        "CamCube.Calls",
        "CamCube.FrontEnds",
        "CamCube.Links",
        "CamCube.Links.Abstractions",
        "CamCube.Linux",
        "CamCube.Messaging",
        "CamCube.Topology",
        "CamCube.Trees",
        "CamCube.Workers",
    ];

    private static readonly Lazy<HashSet<string>> Framework = new(FrameworkNames);

    /// <summary>Those of CamCube, which Directory.Build.targets does not copy beside a service.</summary>
    public static IReadOnlyList<string> Own => Names;

    /// <summary>Whether the host's own copy is used.</summary>
    public static bool IsShared(string name) =>
        Names.Contains(name, StringComparer.OrdinalIgnoreCase) || Framework.Value.Contains(name);

    /// <summary>Whether it holds interfaces that services share with one another.</summary>
    public static bool IsContract(string name) => name.EndsWith(ContractSuffix, StringComparison.OrdinalIgnoreCase);

    /// <summary>What the runtime trusts and did not come from the host's own folder is the shared framework.</summary>
    private static HashSet<string> FrameworkNames()
    {
        string own = Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory);
        string trusted = AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES") as string ?? "";
        return trusted
            .Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries)
            .Where(path => Path.GetDirectoryName(path) != own)
            .Append(typeof(object).Assembly.Location)
            .Select(path => Path.GetFileNameWithoutExtension(path))
            .ToHashSet(StringComparer.OrdinalIgnoreCase);
    }

    /// <summary>Name and version of an assembly file, or null if it is none.</summary>
    public static AssemblyName? NameOf(string path)
    {
        try
        {
            return AssemblyName.GetAssemblyName(path);
        }
        catch (Exception e) when (e is BadImageFormatException or IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
