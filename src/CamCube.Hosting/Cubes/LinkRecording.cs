using CamCube.Capture;
using CamCube.Hosting.Settings;

namespace CamCube.Hosting.Cubes;

/// <summary>The recording of a real server's cables into a pcapng file, if the settings ask for one.</summary>
internal sealed class LinkRecording : IDisposable
{
    private readonly FileStream _stream;
    private readonly TorusShape _shape;
    private readonly LinkSet _links;
    private CaptureFile? _file;
    private bool _hasEnded;

    private LinkRecording(FileStream stream, TorusShape shape, LinkSet links) =>
        (_stream, _shape, _links) = (stream, shape, links);

    /// <summary>Opens the file. Null: no recording is asked for, or there is a mistake in what is.</summary>
    public static LinkRecording? Open(CamCubeOptions options, bool runsWholeCube, Mistakes mistakes)
    {
        LinkCaptureOptions capture = options.Capture;
        if (capture.File is not { Length: > 0 } path)
        {
            return null;
        }

        if (runsWholeCube)
        {
            mistakes.Value(
                "CamCube:Capture:File",
                path,
                "only the cables of a real server are recorded by its host; camcube sim --capture records "
                    + "simulated ones"
            );
            return null;
        }

        LinkSet links = capture.Links.Length == 0 ? LinkSet.AllCables : LinkSet.None;
        foreach (string name in capture.Links)
        {
            if (!Links.TryParse(name, out Link link))
            {
                mistakes.Value("CamCube:Capture:Links", name, "allowed are +x, -x, +y, -y, +z, -z");
                return null;
            }

            links |= link;
        }

        try
        {
            return new LinkRecording(
                new FileStream(path, FileMode.Create, FileAccess.Write, FileShare.Read),
                options.Shape,
                links
            );
        }
        catch (Exception e)
            when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            mistakes.Value("CamCube:Capture:File", path, "the file cannot be written there");
            return null;
        }
    }

    /// <summary>Told on the loop, or when it is disposed, why the file could not be written: the recording has ended.
    /// Set before the loop starts.</summary>
    public Action<string, Exception> Ended { get; set; } = static (_, _) => { };

    /// <summary>Puts the recording in front of a server's links. On the server's loop, once.</summary>
    public LinkDriver Around(int rank, ulong epochUnixMicros, LinkDriver links)
    {
        Coordinate server = _shape.At(rank);
        _file = new CaptureFile(_stream, _shape, new CaptureOptions { EpochUnixNanos = (long)epochUnixMicros * 1_000 });
        CaptureLink[] captured = [.. Recorded(server).Select(link => _file.LinkOf(server, link, 0))];
        return new CapturingLinks(links, captured, _file, End);
    }

    /// <summary>Ends the file. The server's loop has ended.</summary>
    public void Dispose()
    {
        try
        {
            _file?.Dispose();
            _stream.Dispose();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The last of it could not be written, which is no failure of the host's.
            End(e);
        }
    }

    private void End(Exception e)
    {
        if (!_hasEnded)
        {
            _hasEnded = true;
            Ended(_stream.Name, e);
        }
    }

    private List<Link> Recorded(Coordinate server)
    {
        List<Link> recorded = [];
        foreach (Link link in _links & _shape.CabledLinks(server))
        {
            recorded.Add(link);
        }

        return recorded;
    }
}
