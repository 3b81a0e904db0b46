namespace CamCube.Hosting.Settings;

/// <summary>Settings of the recording of a real server's cables (<c>CamCube:Capture</c>).</summary>
internal sealed class LinkCaptureOptions
{
    /// <summary>The pcapng file that is written, and replaced if it is there. Default none: nothing is
    /// recorded.</summary>
    public string? File { get; set; }

    /// <summary>The recorded links, as in <c>+x,-y</c>. Default: all.</summary>
    public string[] Links { get; set; } = [];
}
