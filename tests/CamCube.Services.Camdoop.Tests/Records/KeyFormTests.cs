using CamCube.Services.Camdoop.Records;

namespace CamCube.Services.Camdoop.Tests.Records;

/// <summary>Any bytes are a key: it comes back as it was, and keys keep their order.</summary>
public sealed class KeyFormTests
{
    [Fact]
    public void Any_key_comes_back_and_keeps_its_order()
    {
        var random = new Random(1);
        List<byte[]> keys =
        [
            [],
            [0],
            [0, 0],
            [0, 1],
            [1],
            [255],
        ];
        for (int i = 0; i < 3_000; i++)
        {
            int most = random.Next(4) == 0 ? 6_000 : 6;
            byte[] key = new byte[random.Next(most)];
            random.NextBytes(key);
            if (random.Next(2) == 0)
            {
                key.AsSpan(0, Math.Min(key.Length, random.Next(4_000))).Clear();
            }

            keys.Add(key);
        }

        List<(byte[] Key, byte[] Form)> forms = [];
        foreach (byte[] key in keys)
        {
            byte[] form = new byte[KeyForm.LengthOf(key)];
            int length = KeyForm.NeedsForm(key) ? KeyForm.Write(key, form) : Copy(key, form);
            Assert.Equal(form.Length, length);
            Assert.InRange(form.Length, 1, CamCube.Trees.MergeRequest.MostKey);
            byte[] value = [.. PrefixFor(key), 7, 8];
            Assert.True(KeyForm.TryRead(form, value, out ReadOnlySpan<byte> first, out ReadOnlySpan<byte> second));
            Assert.Equal(key, first.ToArray());
            Assert.Equal([7, 8], second.ToArray());
            forms.Add((key, form));
        }

        for (int i = 0; i < 200_000; i++)
        {
            (byte[] key, byte[] form) = forms[random.Next(forms.Count)];
            (byte[] other, byte[] otherForm) = forms[random.Next(forms.Count)];
            int order = Math.Sign(key.AsSpan().SequenceCompareTo(other));
            int given = Math.Sign(form.AsSpan().SequenceCompareTo(otherForm));

            // Of keys that are too long the first bytes count, and then whether they are the same.
            bool areLong = key.Length > KeyForm.MostWhole && other.Length > KeyForm.MostWhole;
            bool isKept = areLong && key.AsSpan(0, KeyForm.MostWhole).SequenceEqual(other.AsSpan(0, KeyForm.MostWhole));
            Assert.Equal(isKept ? order == 0 : true, isKept ? given == 0 : order == given);
        }
    }

    [Fact]
    public void What_is_no_record_of_a_long_key_is_none()
    {
        byte[] key = new byte[KeyForm.LongKey];
        foreach (
            byte[] value in (byte[][])
                [
                    [],
                    [1],
                    BitConverter.GetBytes(-1),
                    BitConverter.GetBytes(4_000),
                ]
        )
        {
            Assert.False(KeyForm.TryRead(key, value, out _, out _));
        }

        Assert.False(KeyForm.TryRead([], [], out _, out _));
    }

    private static byte[] PrefixFor(byte[] key) =>
        KeyForm.PrefixFor(key) > 0 ? [.. BitConverter.GetBytes(key.Length), .. key] : [];

    private static int Copy(byte[] key, byte[] form)
    {
        key.CopyTo(form, 0);
        return key.Length;
    }
}
