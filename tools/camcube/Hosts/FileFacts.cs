using System.Text.Json.Nodes;

namespace CamCube.Tool.Hosts;

/// <summary>A file or directory as the file store's front end describes it.</summary>
/// <param name="Path">Where.</param>
/// <param name="Name">The last name of it.</param>
/// <param name="Type"><c>file</c> or <c>directory</c>.</param>
/// <param name="Bytes">Its length.</param>
/// <param name="Created">When it was made; null: the root directory.</param>
/// <param name="Version">Its version.</param>
internal sealed record FileFacts(string Path, string Name, string Type, long Bytes, string? Created, string Version)
{
    /// <summary>What it is; null: a directory.</summary>
    public string? MediaType { get; init; }

    /// <summary>SHA-256 of a file, in hexadecimal digits.</summary>
    public string? Sha256 { get; init; }

    /// <summary>Chunks of a file.</summary>
    public int? Chunks { get; init; }

    /// <summary>Where the chunks lie.</summary>
    public JsonArray? ChunkList { get; init; }

    /// <summary>Whether it is a directory.</summary>
    [System.Text.Json.Serialization.JsonIgnore]
    public bool IsDirectory => Type == "directory";
}
