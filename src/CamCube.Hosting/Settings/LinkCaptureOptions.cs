using System.ComponentModel.DataAnnotations;

namespace CamCube.Hosting.Settings;

/// <summary>Settings of the recording of cables (<c>CamCube:Capture</c>).</summary>
internal sealed class LinkCaptureOptions
{
    /// <summary>The pcapng file that is written, and replaced if it is there. Default none: nothing is
    /// recorded.</summary>
    public string? File { get; set; }

    /// <summary>The recorded links, as in <c>+x,-y</c>. Default: all.</summary>
    public string[] Links { get; set; } = [];

    /// <summary>The servers that record, as ranks or coordinates: <c>0;1,1,1</c>. Default: all. A real server that is
    /// not among them records nothing.</summary>
    public string? Servers { get; set; }

    /// <summary>Frames after which the recording ends, 1 to 1,000,000,000. Default a million, about 120 MB of small
    /// frames. A file without a limit fills the disk.</summary>
    [Range(1, 1_000_000_000)]
    public int MostFrames { get; set; } = 1_000_000;
}
