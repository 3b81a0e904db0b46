namespace CamCube.Services.KeyValue.Log;

/// <summary>What a sum becomes behind zeros, however many: sums are polynomials modulo that of CRC32C, and a byte of
/// zeros is a factor.</summary>
internal static class SumShift
{
    // Bit 31 is the constant term, as in the sums.
    private const uint One = 1u << 31;
    private const uint Modulus = 0x82F6_3B78;
    private static readonly uint[] Powers = MakePowers();

    /// <summary>The sum with so many bytes of zeros behind it.</summary>
    /// <param name="sum">The sum.</param>
    /// <param name="bytes">How many, from 0.</param>
    public static uint Over(uint sum, int bytes)
    {
        for (int i = 0; bytes != 0; i++, bytes >>= 1)
        {
            sum = (bytes & 1) != 0 ? Times(sum, Powers[i]) : sum;
        }

        return sum;
    }

    private static uint Times(uint one, uint other)
    {
        uint product = 0;
        for (; one != 0; one <<= 1)
        {
            product ^= (one & One) != 0 ? other : 0;
            other = ByX(other);
        }

        return product;
    }

    private static uint ByX(uint sum) => (sum >> 1) ^ ((sum & 1) != 0 ? Modulus : 0);

    // For 1, 2, 4, ... bytes.
    private static uint[] MakePowers()
    {
        uint[] powers = new uint[31];
        powers[0] = One;
        for (int bit = 0; bit < 8; bit++)
        {
            powers[0] = ByX(powers[0]);
        }

        for (int i = 1; i < powers.Length; i++)
        {
            powers[i] = Times(powers[i - 1], powers[i - 1]);
        }

        return powers;
    }
}
