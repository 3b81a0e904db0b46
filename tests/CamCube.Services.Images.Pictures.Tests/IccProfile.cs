using System.Buffers.Binary;
using System.Text;

namespace CamCube.Services.Images.Pictures.Tests;

/// <summary>Colour profiles (ICC.1) of the tests' own making, and what a colour of theirs is in sRGB, by formulas and
/// no library.</summary>
internal static class IccProfile
{
    private const int HeaderBytes = 128;
    private const int Inks = 4;

    // Of Adobe RGB (1998): 2 and 51/256.
    private const int Gamma = 0x0233;

    // Colours of full red, green and blue of Adobe RGB (1998), seen by the light that profiles have (D50).
    private static readonly double[][] Primaries =
    [
        [0.60974, 0.31111, 0.01947],
        [0.20528, 0.62567, 0.06087],
        [0.14919, 0.06322, 0.74457],
    ];
    private static readonly double[] White = [0.9642, 1, 0.8249];
    private static readonly double[][] ToSrgb =
    [
        [3.1338561, -1.6168667, -0.4906146],
        [-0.9787684, 1.9161415, 0.0334540],
        [0.0719453, -0.2289914, 1.4052427],
    ];

    // What each ink alone looks like, as no printer has it (Lab): so that it is seen whose inks a picture has.
    private static readonly double[][] OddInks =
    [
        [60, -40, 30],
        [50, 50, 20],
        [80, 0, 60],
        [20, 0, 0],
    ];

    /// <summary>Adobe RGB (1998): what cameras write that are told to.</summary>
    public static byte[] AdobeRgb()
    {
        byte[] curve = [.. "curv\0\0\0\0\0\0\0\u0001"u8, Gamma >> 8, Gamma & 0xFF, 0, 0];
        return Profile(
            "mntr",
            "RGB ",
            "XYZ ",
            ("wtpt", Colour(White)),
            ("rXYZ", Colour(Primaries[0])),
            ("gXYZ", Colour(Primaries[1])),
            ("bXYZ", Colour(Primaries[2])),
            ("rTRC", curve),
            ("gTRC", curve),
            ("bTRC", curve)
        );
    }

    /// <summary>A colour of Adobe RGB in sRGB.</summary>
    public static double[] FromAdobeRgb(params byte[] colour)
    {
        double[] light = [.. colour.Select(static part => Math.Pow(part / 255.0, Gamma / 256.0))];
        return Srgb([.. Enumerable.Range(0, 3).Select(i => light.Zip(Primaries, (part, of) => part * of[i]).Sum())]);
    }

    /// <summary>A press with inks of its own: green, red, yellow and grey.</summary>
    public static byte[] OddPress()
    {
        List<byte> table =
        [
            .. "mft1\0\0\0\0"u8,
            Inks,
            3,
            2,
            0,
            .. Enumerable.Range(0, 9).SelectMany(static i => Number(i % 4 == 0 ? 1 : 0)),
        ];
        table.AddRange(Enumerable.Range(0, Inks).SelectMany(static _ => Straight()));

        // All corners, the last ink fastest.
        for (int corner = 0; corner < 1 << Inks; corner++)
        {
            double[] lab =
                corner == 0 ? [100, 0, 0]
                : int.IsPow2(corner) ? OddInks[Inks - 1 - int.Log2(corner)]
                : [10, 0, 0];
            table.AddRange([(byte)Math.Round(lab[0] * 2.55), (byte)(lab[1] + 128), (byte)(lab[2] + 128)]);
        }

        table.AddRange(Enumerable.Range(0, 3).SelectMany(static _ => Straight()));
        return Profile("prtr", "CMYK", "Lab ", ("wtpt", Colour(White)), ("A2B0", [.. table]));
    }

    /// <summary>What one of its inks alone is in sRGB; none: paper.</summary>
    public static double[] FromOddPress(int? ink)
    {
        double[] lab = ink is { } which ? OddInks[which] : [100, 0, 0];
        double y = (lab[0] + 16) / 116;
        double[] bent = [y + (lab[1] / 500), y, y - (lab[2] / 200)];
        return Srgb([.. bent.Zip(White, static (part, white) => white * Unbent(part))]);
    }

    /// <summary>A profile as a JPEG has it.</summary>
    public static byte[] InJpeg(byte[] profile) =>
        PictureBuilder.Segment(0xE2, [.. "ICC_PROFILE\0\u0001\u0001"u8, .. profile]);

    /// <summary>As a PNG has it.</summary>
    public static byte[] InPng(byte[] profile) =>
        PictureBuilder.Chunk("iCCP", [.. "a\0\0"u8, .. PictureBuilder.Deflated(profile)]);

    private static byte[] Profile(string kind, string from, string to, params (string Name, byte[] Data)[] tags)
    {
        int at = HeaderBytes + 4 + (12 * tags.Length);
        byte[] profile = new byte[at + tags.Sum(static tag => tag.Data.Length)];
        Number(profile, 0, profile.Length);
        Number(profile, 8, 0x0240_0000);
        Text(profile, 12, kind);
        Text(profile, 16, from);
        Text(profile, 20, to);
        Text(profile, 36, "acsp");
        for (int i = 0; i < 3; i++)
        {
            Number(White[i]).CopyTo(profile, 68 + (4 * i));
        }

        Number(profile, HeaderBytes, tags.Length);
        for (int i = 0; i < tags.Length; i++)
        {
            int entry = HeaderBytes + 4 + (12 * i);
            Text(profile, entry, tags[i].Name);
            Number(profile, entry + 4, at);
            Number(profile, entry + 8, tags[i].Data.Length);
            tags[i].Data.CopyTo(profile, at);
            at += tags[i].Data.Length;
        }

        return profile;
    }

    private static byte[] Colour(double[] xyz) => [.. "XYZ \0\0\0\0"u8, .. xyz.SelectMany(Number)];

    private static IEnumerable<byte> Straight() => Enumerable.Range(0, 256).Select(static i => (byte)i);

    // With 16 bits behind the point.
    private static byte[] Number(double value)
    {
        byte[] bytes = new byte[4];
        BinaryPrimitives.WriteInt32BigEndian(bytes, (int)Math.Round(value * 65_536));
        return bytes;
    }

    private static void Number(byte[] profile, int at, int value) =>
        BinaryPrimitives.WriteInt32BigEndian(profile.AsSpan(at), value);

    private static void Text(byte[] profile, int at, string text) => Encoding.ASCII.GetBytes(text, profile.AsSpan(at));

    private static double Unbent(double part)
    {
        const double Knee = 6 / 29.0;
        return part > Knee ? part * part * part : 3 * Knee * Knee * (part - (4 / 29.0));
    }

    private static double[] Srgb(double[] xyz) =>
        [
            .. ToSrgb.Select(row =>
            {
                double light = Math.Clamp(row.Zip(xyz, static (a, b) => a * b).Sum(), 0, 1);
                return 255 * (light <= 0.0031308 ? 12.92 * light : (1.055 * Math.Pow(light, 1 / 2.4)) - 0.055);
            }),
        ];
}
