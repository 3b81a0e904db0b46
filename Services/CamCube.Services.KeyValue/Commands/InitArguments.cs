using System.ComponentModel;

namespace CamCube.Services.KeyValue.Commands;

/// <summary>Arguments of the command init.</summary>
internal sealed record InitArguments
{
    [Description("servers that do not exist, by rank or coordinate, with blanks between")]
    public required string Without { get; init; }
}
