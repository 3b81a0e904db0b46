using System.Text;
using CamCube.Services.KeyValue;

namespace CamCube.Services.Images.Storing;

/// <summary>Where an image lies. Immutable.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Stored">The key of its original in the key-value store: <c>image/</c> and the name.</param>
/// <param name="Key">The key at whose root the original is, work is done, and variants are cached.</param>
internal sealed record ImagePlace(string Name, KeyValueKey Stored, Key Key)
{
    public const string Prefix = ServiceKeys.Image;

    public static ImagePlace Of(string name, int table)
    {
        var stored = new KeyValueKey(Encoding.UTF8.GetBytes(Prefix + name), table);
        return new ImagePlace(name, stored, stored.ToKey());
    }
}
