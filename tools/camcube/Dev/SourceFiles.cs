using System.Xml;
using System.Xml.Linq;

namespace CamCube.Tool.Dev;

/// <summary>The files of a project that somebody edits.</summary>
internal static class SourceFiles
{
    private static readonly string[] Extensions = [".cs", ".csproj", ".props", ".targets", ".json", ".resx"];
    private static readonly string[] NotEntered = ["bin", "obj", "node_modules"];

    /// <summary>The folder of a project, and those of the projects that it refers to itself.</summary>
    public static IReadOnlyList<string> FoldersOf(string project)
    {
        string folder = Path.GetDirectoryName(project)!;
        try
        {
            return
            [
                folder,
                .. XDocument
                    .Load(project)
                    .Descendants()
                    .Where(element => element.Name.LocalName == "ProjectReference")
                    .Select(element => element.Attribute("Include")?.Value.Replace('\\', Path.DirectorySeparatorChar))
                    .OfType<string>()
                    .Select(include => Path.GetDirectoryName(Path.GetFullPath(include, folder))!)
                    .Where(other => other != folder && Directory.Exists(other))
                    .Distinct(),
            ];
        }
        catch (Exception e) when (e is XmlException or ArgumentException)
        {
            // The build says what is wrong with it.
            return [folder];
        }
    }

    /// <summary>All of them, without what builds and tools leave there. A folder that is a link is not
    /// entered.</summary>
    public static IEnumerable<FileInfo> Of(string folder)
    {
        DirectoryInfo top = new(folder);
        foreach (FileInfo file in top.EnumerateFiles())
        {
            if (Extensions.Contains(file.Extension, StringComparer.OrdinalIgnoreCase))
            {
                yield return file;
            }
        }

        foreach (DirectoryInfo inner in top.EnumerateDirectories())
        {
            if (NotEntered.Contains(inner.Name) || inner.Name.StartsWith('.') || inner.LinkTarget is not null)
            {
                continue;
            }

            foreach (FileInfo file in Of(inner.FullName))
            {
                yield return file;
            }
        }
    }
}
