#if DEBUG
namespace CamCube;

/// <summary>The last owners of a packet, in Debug builds.</summary>
internal sealed class OwnerHistory
{
    private const int Steps = 8;
    private readonly uint[] _ring = new uint[Steps];
    private int _count;

    public void Add(uint from, uint to)
    {
        if (_count == 0)
        {
            _ring[_count++ % Steps] = from;
        }

        _ring[_count++ % Steps] = to;
    }

    public override string ToString()
    {
        var words = new List<string>();
        for (int i = Math.Max(0, _count - Steps); i < _count; i++)
        {
            words.Add(OwnerWords.Describe(_ring[i % Steps]));
        }

        return string.Join(" > ", words);
    }
}
#endif
