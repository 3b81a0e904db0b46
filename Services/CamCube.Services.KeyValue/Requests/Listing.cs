using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Requests;

/// <summary>A part of a list that is asked for.</summary>
/// <param name="Prefix">What the keys begin with.</param>
/// <param name="Ask">Where it goes on.</param>
internal sealed record Listing(byte[] Prefix, ListAsk Ask)
{
    /// <summary>The group that is asked.</summary>
    public GroupId Group => new(Ask.Group);

    /// <summary>What a request asks to list; null: it asks for something else. False: it is none.</summary>
    public static bool TryRead(in RequestContent request, TorusShape shape, out Listing? listing)
    {
        listing = null;
        if (request.Type != RequestType.List)
        {
            return true;
        }

        bool isRead = ListAsk.TryRead(request.Metadata, out ListAsk ask);
        listing = new Listing(request.Key.ToArray(), ask);
        return isRead && listing.Group.Table == request.Table && listing.Group.IsIn(shape);
    }
}
