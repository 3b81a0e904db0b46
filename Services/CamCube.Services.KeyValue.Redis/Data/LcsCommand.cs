using CamCube.Services.KeyValue.Redis.Protocol;

namespace CamCube.Services.KeyValue.Redis.Data;

/// <summary>LCS: the longest common subsequence of two values.</summary>
internal static class LcsCommand
{
    // Cells of the table, of 4 bytes each.
    private const long MostCells = 16 << 20;

    public static void Run(DataCall call)
    {
        bool isLength = false,
            isPlaces = false,
            hasLengths = false;
        long least = 0;
        for (int i = 3; i < call.Count; i++)
        {
            if (call.Is(i, "len"u8))
            {
                isLength = true;
            }
            else if (call.Is(i, "idx"u8))
            {
                isPlaces = true;
            }
            else if (call.Is(i, "withmatchlen"u8))
            {
                hasLengths = true;
            }
            else if (call.Is(i, "minmatchlen"u8) && i + 1 < call.Count)
            {
                if (!call.TryInteger(++i, out least))
                {
                    return;
                }
            }
            else
            {
                call.Reply.Error(Errors.Syntax);
                return;
            }
        }

        if (isLength && isPlaces)
        {
            call.Reply.Error("ERR If you want both the length and indexes, please just use IDX.");
            return;
        }

        ReadOnlySpan<byte> one = call.KeyAt(1).Value,
            other = call.KeyAt(2).Value;
        if ((one.Length + 1L) * (other.Length + 1L) > MostCells)
        {
            call.Reply.Error("ERR LCS of values whose lengths' product is over 16 Mi would hold this server up");
            return;
        }

        // A cell takes as long as four bytes.
        call.Reply.Work += 4L * one.Length * other.Length;
        List<(int One, int Other, int Length)> places = [];
        byte[] common = Find(one, other, places);
        if (isLength)
        {
            call.Reply.Integer(common.Length);
        }
        else if (isPlaces)
        {
            WritePlaces(call.Reply, places.FindAll(place => place.Length >= least), common.Length, hasLengths);
        }
        else
        {
            call.Reply.Bulk(common);
        }
    }

    private static byte[] Find(
        ReadOnlySpan<byte> one,
        ReadOnlySpan<byte> other,
        List<(int One, int Other, int Length)> places
    )
    {
        int width = other.Length + 1;
        int[] best = new int[(one.Length + 1) * width];
        for (int i = 1; i <= one.Length; i++)
        {
            for (int k = 1; k <= other.Length; k++)
            {
                best[(i * width) + k] =
                    one[i - 1] == other[k - 1]
                        ? best[((i - 1) * width) + k - 1] + 1
                        : Math.Max(best[((i - 1) * width) + k], best[(i * width) + k - 1]);
            }
        }

        byte[] common = new byte[best[^1]];
        int left = common.Length,
            a = one.Length,
            b = other.Length;
        while (a > 0 && b > 0)
        {
            if (one[a - 1] == other[b - 1])
            {
                common[--left] = one[--a];
                b--;
                if (places.Count > 0 && places[^1].One == a + 1 && places[^1].Other == b + 1)
                {
                    places[^1] = (a, b, places[^1].Length + 1);
                }
                else
                {
                    places.Add((a, b, 1));
                }
            }
            else if (best[((a - 1) * width) + b] > best[(a * width) + b - 1])
            {
                a--;
            }
            else
            {
                b--;
            }
        }

        return common;
    }

    private static void WritePlaces(
        Reply reply,
        List<(int One, int Other, int Length)> places,
        int length,
        bool hasLengths
    )
    {
        reply.Map(2);
        reply.Bulk("matches"u8);
        reply.Array(places.Count);
        foreach ((int one, int other, int count) in places)
        {
            reply.Array(hasLengths ? 3 : 2);
            WritePlace(reply, one, count);
            WritePlace(reply, other, count);
            if (hasLengths)
            {
                reply.Integer(count);
            }
        }

        reply.Bulk("len"u8);
        reply.Integer(length);
    }

    private static void WritePlace(Reply reply, int first, int count)
    {
        reply.Array(2);
        reply.Integer(first);
        reply.Integer(first + count - 1);
    }
}
