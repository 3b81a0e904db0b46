using System.Globalization;
using CamCube.Capture;
using CamCube.Hosting.Settings;

namespace CamCube.Hosting.Cubes;

/// <summary>The recording of cables into a pcapng file, if the settings ask for one: those of a real server, which
/// writes at the end of each step, or of all simulated ones, which have one thread (<see cref="Write"/>).</summary>
internal sealed class LinkRecording : IDisposable
{
    private readonly FileStream _stream;
    private readonly TorusShape _shape;
    private readonly LinkSet _links;
    private readonly HashSet<Coordinate>? _servers;
    private readonly int _mostFrames;
    private readonly bool _isWholeCube;
    private CaptureFile? _file;
    private bool _hasEnded;

    private LinkRecording(
        FileStream stream,
        CamCubeOptions options,
        LinkSet links,
        HashSet<Coordinate>? servers,
        bool isWholeCube
    )
    {
        (_stream, _shape, _links, _servers) = (stream, options.Shape, links, servers);
        (_mostFrames, _isWholeCube) = (options.Capture.MostFrames, isWholeCube);
    }

    /// <summary>Opens the file. Null: no recording is asked for, or there is a mistake in what is.</summary>
    public static LinkRecording? Open(CamCubeOptions options, bool runsWholeCube, Mistakes mistakes)
    {
        LinkCaptureOptions capture = options.Capture;
        if (capture.File is not { Length: > 0 } path)
        {
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

        if (!TryReadServers(capture.Servers, options.Shape, mistakes, out HashSet<Coordinate>? servers))
        {
            return null;
        }

        try
        {
            var stream = new FileStream(path, FileMode.Create, FileAccess.Write, FileShare.Read);
            return new LinkRecording(stream, options, links, servers, runsWholeCube);
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

    /// <summary>Puts the recording in front of a server's links. On the server's loop, once for each server.</summary>
    public LinkDriver Around(int rank, ulong epochUnixMicros, LinkDriver links)
    {
        Coordinate server = _shape.At(rank);
        if (_servers?.Contains(server) == false)
        {
            return links;
        }

        CaptureFile file = _file ??= new CaptureFile(
            _stream,
            _shape,
            new CaptureOptions { EpochUnixNanos = (long)epochUnixMicros * 1_000, MostFrames = _mostFrames }
        );
        CaptureLink[] captured = [.. Recorded(server).Select(link => file.LinkOf(server, link, 0))];
        return new CapturingLinks(links, captured, _isWholeCube ? null : file, End);
    }

    /// <summary>Writes what all servers have sent until now, in the order of time. On their loop.</summary>
    public void Write()
    {
        if (_file is not { } file || _hasEnded)
        {
            return;
        }

        try
        {
            file.Write();
            if (file.CutOffNanos is not null)
            {
                End(new IOException(file.WhyFull));
            }
        }
        catch (Exception e)
        {
            // A recording is an onlooker: the cube goes on without it.
            End(e);
        }
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
            _file?.Abandon();
            Ended(_stream.Name, e);
        }
    }

    private static bool TryReadServers(
        string? text,
        TorusShape shape,
        Mistakes mistakes,
        out HashSet<Coordinate>? servers
    )
    {
        servers = null;
        foreach (string name in text?.Split(';', StringSplitOptions.TrimEntries) ?? [])
        {
            bool isRank = int.TryParse(name, NumberStyles.None, CultureInfo.InvariantCulture, out int rank);
            Coordinate server = isRank && rank < shape.Count ? shape.At(rank) : default;
            if (isRank ? rank >= shape.Count : !Coordinate.TryParse(name, out server) || !shape.Contains(server))
            {
                mistakes.Value(
                    "CamCube:Capture:Servers",
                    name,
                    $"allowed are ranks from 0 to {shape.Count - 1} and coordinates up to {shape.At(shape.Count - 1)}, "
                        + "with ; between them"
                );
                return false;
            }

            (servers ??= []).Add(server);
        }

        return true;
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
