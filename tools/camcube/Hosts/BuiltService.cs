using System.ComponentModel;
using System.Diagnostics;
using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using CamCube.Tool.Syntax;

namespace CamCube.Tool.Hosts;

/// <summary>An assembly with services that somebody has built. It is read, not loaded.</summary>
/// <param name="Path">Full path of the assembly.</param>
/// <param name="Names">Names of the services in it.</param>
internal sealed record BuiltService(string Path, IReadOnlyList<string> Names)
{
    /// <summary>Finds what was named: a project or its folder, a folder with an assembly, or an assembly.</summary>
    /// <exception cref="ToolException">There is none, or no service in it.</exception>
    public static BuiltService Find(string named)
    {
        string path = System.IO.Path.GetFullPath(named);
        if (Directory.Exists(path))
        {
            string[] projects = Directory.GetFiles(path, "*.csproj");
            path = projects switch
            {
                [] => AssemblyIn(path, named),
                [var project] => OutputOf(project),
                _ => throw Usage($"{named} has {projects.Length} projects; name one of them."),
            };
        }
        else if (!File.Exists(path))
        {
            throw Usage($"'{named}' is no project, folder or assembly: there is no {path}.");
        }
        else if (path.EndsWith(".csproj", StringComparison.OrdinalIgnoreCase))
        {
            path = OutputOf(path);
        }

        IReadOnlyList<string> names = NamesIn(path);
        return names.Count > 0
            ? new BuiltService(path, names)
            : throw Usage($"{path} has no class with [CamCubeService(id, \"name\")].");
    }

    // A .deps.json stands beside the main assembly only, not beside those it depends on.
    private static string AssemblyIn(string folder, string named)
    {
        string[] all = [.. Directory.GetFiles(folder, "*.dll").Order(StringComparer.Ordinal)];
        string[] main = [.. all.Where(dll => File.Exists(System.IO.Path.ChangeExtension(dll, ".deps.json")))];
        string[] found = main.Length > 0 ? main : all;
        return found switch
        {
            [var one] => one,
            [] => throw Usage($"the folder {named} has neither a project nor an assembly."),
            _ => throw Usage($"the folder {named} has {found.Length} assemblies; name one of them."),
        };
    }

    // Debug or Release, whichever was built last.
    private static string OutputOf(string project)
    {
        string[] places = [Ask(project, "Debug"), Ask(project, "Release")];
        return places.Where(File.Exists).MaxBy(File.GetLastWriteTimeUtc)
            ?? throw Usage($"{project} is not built: there is no {places[0]}. Try: dotnet build {project}");
    }

    private static string Ask(string project, string configuration)
    {
        string[] words =
        [
            "msbuild",
            project,
            "-nologo",
            "-getProperty:TargetPath",
            $"-p:Configuration={configuration}",
        ];
        var start = new ProcessStartInfo("dotnet", words)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        try
        {
            using Process asked = Process.Start(start)!;
            Task<string> errors = asked.StandardError.ReadToEndAsync();
            string output = asked.StandardOutput.ReadToEnd();
            asked.WaitForExit();
            return asked.ExitCode == 0
                ? output.Trim()
                : throw Usage($"{project} cannot be read: {FirstLine(output + errors.Result)}");
        }
        catch (Win32Exception e)
        {
            throw Usage($"dotnet, which knows where {project} is built, does not start: {e.Message}");
        }
    }

    private static string FirstLine(string text) =>
        text.Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries) is [var first, ..]
            ? first
            : "msbuild says nothing.";

    /// <summary>Names of the services in an assembly.</summary>
    /// <exception cref="ToolException">It cannot be read, or is none.</exception>
    public static List<string> NamesIn(string path)
    {
        try
        {
            using FileStream stream = File.OpenRead(path);
            using var image = new PEReader(stream);
            MetadataReader reader = image.GetMetadataReader();
            return
            [
                .. reader
                    .TypeDefinitions.SelectMany(type => reader.GetTypeDefinition(type).GetCustomAttributes())
                    .Select(reader.GetCustomAttribute)
                    .Where(attribute => IsService(reader, attribute))
                    .Select(attribute => NameOf(reader, attribute))
                    .OfType<string>()
                    .Distinct(StringComparer.Ordinal),
            ];
        }
        catch (Exception e) when (e is BadImageFormatException or InvalidOperationException)
        {
            throw Usage($"{path} is no .NET assembly.");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw Usage($"{path} cannot be read: {e.Message}");
        }
    }

    private static bool IsService(MetadataReader reader, CustomAttribute attribute)
    {
        if (attribute.Constructor.Kind != HandleKind.MemberReference)
        {
            return false;
        }

        EntityHandle type = reader.GetMemberReference((MemberReferenceHandle)attribute.Constructor).Parent;
        return type.Kind == HandleKind.TypeReference
            && reader.GetTypeReference((TypeReferenceHandle)type) is var named
            && reader.StringComparer.Equals(named.Name, nameof(CamCubeServiceAttribute))
            && reader.StringComparer.Equals(named.Namespace, nameof(CamCube));
    }

    // Prolog 1, the id, the name: ECMA-335 II.23.3.
    private static string? NameOf(MetadataReader reader, CustomAttribute attribute)
    {
        BlobReader value = reader.GetBlobReader(attribute.Value);
        return value.ReadUInt16() == 1 && value.ReadUInt16() is var _ ? value.ReadSerializedString() : null;
    }

    private static ToolException Usage(string message) => new(ExitCode.Usage, message);
}
