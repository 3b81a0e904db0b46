namespace CamCube.Services.Files.Moving;

/// <summary>Which server the next chunk of a file lies on: all in turn that can be reached, beginning anywhere, so that
/// many short files are on all of them. Loop only.</summary>
internal sealed class ChunkTurn(string path, Coordinate? only, IServer server)
{
    private int _rank = server.Shape.RankOf(Key.OfName(path).HomeIn(server.Shape));

    /// <summary>The next one.</summary>
    public Coordinate Next()
    {
        if (only is { } at)
        {
            return at;
        }

        for (int i = 0; i < server.Shape.Count; i++)
        {
            Coordinate next = server.Shape.At(_rank);
            _rank = (_rank + 1) % server.Shape.Count;
            if (server.Topology.IsReachable(next))
            {
                return next;
            }
        }

        return server.Coordinate;
    }
}
