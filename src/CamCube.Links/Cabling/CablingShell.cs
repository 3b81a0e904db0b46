using System.Security.Cryptography;
using CamCube.Linux;

namespace CamCube.Cabling;

/// <summary>What happens once before the protocol runs: the folder with the server's state, its identity, this start's
/// nonce. Not on the loop.
/// </summary>
internal static class CablingShell
{
    /// <summary>Reads, or draws and writes, what a server keeps for life, and checks it against the settings.</summary>
    /// <exception cref="LinkProviderException">One line that says what is wrong and how to mend it.</exception>
    public static CablingSetup Open(LinkProviderRequest request, CablingOptions options)
    {
        if (
            request.ClusterId.Length is 0 or > ControlHeader.LongestCluster
            || request.ClusterId.Any(static c => c is < ' ' or > '~')
        )
        {
            throw new LinkProviderException(
                $"CamCube:ClusterId = '{request.ClusterId}': allowed are 1 to {ControlHeader.LongestCluster} "
                    + $"printable ASCII characters."
            );
        }

        if (request is { StateDirectory: null, Coordinate: null })
        {
            throw new LinkProviderException(
                "CamCube:StateDirectory is needed: the place that this server finds by its cables is kept there for "
                    + "life. "
                    + "Or give it a place with CamCube:Coordinate."
            );
        }

        FileCablingStore? store = request.StateDirectory is { } folder ? new FileCablingStore(folder) : null;
        try
        {
            return Open(request, options, store);
        }
        catch
        {
            store?.Close();
            throw;
        }
    }

    private static CablingSetup Open(LinkProviderRequest request, CablingOptions options, FileCablingStore? store)
    {
        ServerId server = store is null ? Draw() : Identity(store);
        CablingMap? map = store is null ? null : StoredMap(store, request, server);
        return new CablingSetup
        {
            ClusterId = request.ClusterId,
            Shape = request.Shape,
            Server = server,
            BootNonce = Draw().Value,
            Coordinate = request.Coordinate,
            Map = map,
            Store = store,
            Jitter = new Random(BitConverter.ToInt32(RandomNumberGenerator.GetBytes(4))),
            UnixMillis = () => request.Time.GetUtcNow().ToUnixTimeMilliseconds(),
            News = request.News,
            Options = options,
        };
    }

    private static ServerId Draw() => new(BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(8)));

    private static ServerId Identity(FileCablingStore store)
    {
        string path = store.PathOf(StateText.IdentityName);
        if (Read(store, StateText.IdentityName) is { } text)
        {
            return StateText.ReadIdentity(text, path);
        }

        if (Read(store, StateText.MapName) is not null)
        {
            throw new LinkProviderException(
                $"{path} is missing, but there is a map beside it; bring it back from a copy, or, "
                    + $"if this server may become a new one, delete "
                    + "the map too (docs/cabling.md, state)."
            );
        }

        ServerId server = Draw();
        try
        {
            store.Write(StateText.IdentityName, StateText.OfIdentity(server));
        }
        catch (Exception e) when (DiskError.Is(e))
        {
            throw new LinkProviderException($"{path} cannot be written ({DiskError.Words(e)}).")
            {
                MayPass = DiskError.IsFull(e),
            };
        }

        return server;
    }

    private static CablingMap? StoredMap(FileCablingStore store, LinkProviderRequest request, ServerId server)
    {
        string path = store.PathOf(StateText.MapName);
        if (Read(store, StateText.MapName) is not { } text)
        {
            return null;
        }

        CablingMap map = StateText.ReadMap(text, path);
        if (map.ClusterId != request.ClusterId)
        {
            throw new LinkProviderException(
                $"CamCube:ClusterId = '{request.ClusterId}', but this server has its place in the cube "
                    + $"'{map.ClusterId}' for life ({path})."
            );
        }

        if (map.Shape != request.Shape)
        {
            throw new LinkProviderException(
                $"CamCube:Shape = '{Words(request.Shape)}', but this server has its place in a cube "
                    + $"{Words(map.Shape)} for life ({path})."
            );
        }

        if (map.PlaceOf(server) is not { } place)
        {
            throw new LinkProviderException(
                $"{path} has no place for this server, {server}: the two files are not of one server."
            );
        }

        if (request.Coordinate is { } coordinate && coordinate != place)
        {
            throw new LinkProviderException(
                $"CamCube:Coordinate = '{coordinate}', but this server has the place {place} for life ({path}). "
                    + $"Leave the setting out, or use "
                    + "another CamCube:StateDirectory."
            );
        }

        return map;
    }

    private static string Words(TorusShape shape) =>
        $"{shape}{(shape.ParallelCables ? "" : " without parallel cables")}";

    private static string? Read(FileCablingStore store, string name)
    {
        try
        {
            return store.Read(name);
        }
        catch (Exception e) when (DiskError.Is(e))
        {
            throw new LinkProviderException($"{store.PathOf(name)} cannot be read ({DiskError.Words(e)}).");
        }
    }
}
