import { BLOCK, BLOCK_SHIFT, rowArrays, rowLayout, type SkylineRows } from './skyline-rows.ts';
import { assemble, type WasmFunction } from './wasm-assembler.ts';
import { instantiate } from './wasm-instance.ts';

/**
 * The loops of `skyline-rows.ts` for four bins at a time, in WebAssembly with vectors of 128 bits. Bins go by fours
 * that begin at multiples of four, so that a four lies in one block; what lies outside the range is masked.
 * Null where the processor has no such vectors or the memory for it cannot be had.
 */
export function simdRows(bins: number): SkylineRows | null {
  const layout = rowLayout(bins);
  const at = { ...layout, sunAbove: layout.sun + 4 * bins };
  const wasm = instantiate(
    assemble({ raise: raise(at), anyBelow: anyBelow(at), nextChange: nextChange(at, bins) }),
    layout.end,
  );
  if (wasm === null) return null;
  const { raise: raiseRow, anyBelow: anyRowBelow, nextChange: nextRowChange } = wasm.functions;
  return {
    ...rowArrays(wasm.memory, bins),
    sunCopied: null,
    raise: raiseRow as SkylineRows['raise'],
    anyBelow: anyRowBelow as SkylineRows['anyBelow'],
    nextChange: nextRowChange as SkylineRows['nextChange'],
  };
}

/** Where the arrays begin, bytes; `sunAbove` is the next row of `sun`. */
type Offsets = ReturnType<typeof rowLayout> & { sunAbove: number };

/** Leaves the least of the four numbers of `$least` on the stack. */
const LEAST_OF_FOUR = `
  local.get $least f32x4.extract_lane 0  local.get $least f32x4.extract_lane 1  f32.min
  local.get $least f32x4.extract_lane 2  local.get $least f32x4.extract_lane 3  f32.min
  f32.min`;

const raise = ({ slope, wall, lowest, stale }: Offsets): WasmFunction => ({
  params: 'i32 first from last, f32 value step, i32 mark',
  result: 'i32',
  locals: `i32 bin block blockBytes stop address ties whole,
    v128 i fromI lastI values steps marks rise before after others inside higher equal raised least`,
  body: `
    local.get $value f32x4.splat local.set $values
    local.get $step f32x4.splat local.set $steps
    local.get $mark i32x4.splat local.set $marks
    ;; Bins are counted from the first of the row's edge; those between these two matter.
    local.get $from local.get $first i32.sub f32.convert_i32_s f32x4.splat local.set $fromI
    local.get $last local.get $first i32.sub f32.convert_i32_s f32x4.splat local.set $lastI
    local.get $from local.set $bin
    block $done
    loop $blocks
      local.get $bin local.get $last i32.gt_s br_if $done
      local.get $bin i32.const ${BLOCK_SHIFT} i32.shr_s local.tee $block
      i32.const 2 i32.shl local.set $blockBytes
      ;; stop = min(last bin of the block, last)
      local.get $bin i32.const ${BLOCK - 1} i32.or local.tee $stop
      local.get $last
      local.get $stop local.get $last i32.lt_s select local.set $stop
      ;; The edge is straight: it is highest at one of its ends.
      local.get $value
      local.get $step
      local.get $stop local.get $bin
      local.get $step f32.const 0 f32.gt select
      local.get $first i32.sub f32.convert_i32_s f32.mul f32.add
      local.get $blockBytes f32.load offset=${lowest} f32.lt
      if
        local.get $stop i32.const 1 i32.add local.set $bin
        br $blocks
      end
      local.get $stop local.get $bin i32.sub i32.const ${BLOCK - 1} i32.eq local.set $whole
      v128.const 0 0 0 0 local.set $raised
      f32.const Infinity f32x4.splat local.set $least
      local.get $bin i32.const -4 i32.and local.tee $bin
      i32.const 2 i32.shl local.set $address
      local.get $bin local.get $first i32.sub i32x4.splat
      v128.const 0 1 2 3 i32x4.add f32x4.convert_i32x4_s local.set $i
      loop $fours
        ;; rise = value + step * i
        local.get $values  local.get $steps local.get $i f32x4.mul  f32x4.add local.set $rise
        local.get $address v128.load offset=${slope} local.set $before
        local.get $i local.get $fromI f32x4.ge
        local.get $i local.get $lastI f32x4.le v128.and local.set $inside
        local.get $rise local.get $before f32x4.gt
        local.get $inside v128.and local.tee $higher
        v128.any_true
        if
          local.get $raised local.get $higher v128.or local.set $raised
          local.get $address
          local.get $marks  local.get $address v128.load offset=${wall}  local.get $higher v128.bitselect
          v128.store offset=${wall}
          local.get $address
          local.get $rise local.get $before local.get $higher v128.bitselect local.tee $after
          v128.store offset=${slope}
          local.get $after local.get $least f32x4.pmin local.set $least
        else
          local.get $before local.get $least f32x4.pmin local.set $least
        end
        ;; Does another wall rise just as high?
        local.get $rise local.get $before f32x4.eq local.get $inside v128.and local.tee $equal
        v128.any_true
        if
          local.get $address v128.load offset=${wall} local.tee $others
          v128.const 0 0 0 0 i32x4.ge_s
          local.get $others local.get $marks i32x4.ne v128.and
          local.get $equal v128.and i32x4.bitmask local.tee $ties
          if
            local.get $raised v128.any_true
            if
              local.get $block i32.const 1 i32.store8 offset=${stale}
            end
            local.get $bin local.get $ties i32.ctz i32.add return
          end
        end
        local.get $i f32.const 4 f32x4.splat f32x4.add local.set $i
        local.get $address i32.const 16 i32.add local.set $address
        local.get $bin i32.const 4 i32.add local.tee $bin
        local.get $stop i32.le_s br_if $fours
      end
      local.get $whole
      if
        local.get $blockBytes ${LEAST_OF_FOUR} f32.store offset=${lowest}
        local.get $block i32.const 0 i32.store8 offset=${stale}
        br $blocks
      end
      local.get $raised v128.any_true
      if
        local.get $block i32.const 1 i32.store8 offset=${stale}
      end
      br $blocks
    end
    end
    i32.const -1`,
});

const anyBelow = ({ slope, lowest, stale }: Offsets): WasmFunction => ({
  params: 'i32 first last, f32 steepest',
  result: 'i32',
  locals: 'i32 block blockBytes bin address stop, v128 firsts lasts limits least numbers',
  body: `
    local.get $first i32x4.splat local.set $firsts
    local.get $last i32x4.splat local.set $lasts
    local.get $steepest f32x4.splat local.set $limits
    local.get $first i32.const ${BLOCK_SHIFT} i32.shr_s local.set $block
    loop $blocks
      block $next
        local.get $block i32.const 2 i32.shl local.tee $blockBytes
        ;; A stale lowest is too low: what it turns away can be turned away.
        f32.load offset=${lowest} local.get $steepest f32.ge br_if $next
        local.get $block i32.const ${BLOCK_SHIFT} i32.shl local.set $bin
        local.get $block i32.load8_u offset=${stale}
        if
          local.get $bin i32.const 2 i32.shl local.tee $address v128.load offset=${slope} local.set $least
          ${Array.from(
            { length: BLOCK / 4 - 1 },
            (_, four) =>
              `local.get $address v128.load offset=${slope + 16 * (four + 1)} local.get $least f32x4.pmin local.set $least`,
          ).join('\n')}
          local.get $blockBytes ${LEAST_OF_FOUR} f32.store offset=${lowest}
          local.get $block i32.const 0 i32.store8 offset=${stale}
          local.get $blockBytes f32.load offset=${lowest} local.get $steepest f32.ge br_if $next
        end
        ;; stop = min(last bin of the block, last)
        local.get $bin i32.const ${BLOCK - 1} i32.or local.tee $stop
        local.get $last
        local.get $stop local.get $last i32.le_s select local.set $stop
        ;; Is the whole block asked for?
        local.get $first local.get $bin i32.le_s
        local.get $stop local.get $bin i32.sub i32.const ${BLOCK - 1} i32.eq i32.and
        if
          i32.const 1 return
        end
        local.get $first i32.const -4 i32.and local.get $bin
        local.get $first local.get $bin i32.gt_s select local.set $bin
        loop $fours
          local.get $bin i32.const 2 i32.shl v128.load offset=${slope} local.get $limits f32x4.lt
          local.get $bin i32x4.splat v128.const 0 1 2 3 i32x4.add local.tee $numbers
          local.get $firsts i32x4.ge_s v128.and
          local.get $numbers local.get $lasts i32x4.le_s v128.and
          v128.any_true
          if
            i32.const 1 return
          end
          local.get $bin i32.const 4 i32.add local.tee $bin
          local.get $stop i32.le_s br_if $fours
        end
      end
      local.get $block i32.const 1 i32.add local.tee $block
      local.get $last i32.const ${BLOCK_SHIFT} i32.shr_s i32.le_s br_if $blocks
    end
    i32.const 0`,
});

const nextChange = ({ slope, wall, sun, sunAbove }: Offsets, bins: number): WasmFunction => ({
  params: 'i32 row bin last level',
  result: 'i32',
  locals: 'i32 address sunAddress same, v128 walls slopes',
  body: `
    local.get $row local.get $bin i32.add i32.const 2 i32.shl local.tee $address
    i32.load offset=${wall} i32x4.splat local.set $walls
    local.get $level i32.const ${bins} i32.mul local.get $bin i32.add i32.const 2 i32.shl local.set $sunAddress
    local.get $bin i32.const 1 i32.add local.set $bin
    ;; The last vectors may reach over the end of the row: what they find there is after the last bin.
    block $found
      loop $fours
        local.get $bin local.get $last i32.gt_s br_if $found
        local.get $address v128.load offset=${slope + 4} local.tee $slopes
        local.get $sunAddress v128.load offset=${sun + 4} f32x4.gt
        local.get $slopes local.get $sunAddress v128.load offset=${sunAbove + 4} f32x4.le v128.and
        local.get $address v128.load offset=${wall + 4} local.get $walls i32x4.eq v128.and
        i32x4.bitmask local.tee $same
        i32.const 15 i32.eq
        if
          local.get $address i32.const 16 i32.add local.set $address
          local.get $sunAddress i32.const 16 i32.add local.set $sunAddress
          local.get $bin i32.const 4 i32.add local.set $bin
          br $fours
        end
        local.get $same i32.const 15 i32.xor i32.ctz local.get $bin i32.add local.set $bin
      end
    end
    local.get $last i32.const 1 i32.add local.tee $last
    local.get $bin
    local.get $last local.get $bin i32.lt_s select`,
});
